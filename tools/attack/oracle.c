/* Runs many generated programs in one process and says what each run did.
 *
 * The programs are one translation unit, compiled with -fsanitize=undefined but not linked with its runtime: what the
 * compiler calls when an operation is undefined is defined here, and ends the run. Crashes and endless loops end it as well.
 * All variables get their initial values back before each run. So a run costs microseconds, and no process is started.
 *
 * A line for each run: `run PROGRAM INPUT clean`, or `broken KIND LINE`, `crashed` or `endless`; then what was seen on the way,
 * `PROBE:VALUE`, and `cut` if there was more. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include "oracle.h"

struct where { const char *file; unsigned line, column; };
enum { SEEN = 1 << 12 };

/* Nothing that a run changes may be a variable, since variables are reset. */
static struct state {
	sigjmp_buf back;
	char kind[24];
	unsigned line;
	int count;
	struct { int probe, real; long long value; double number; } seen[SEEN];
} *state;

static _Noreturn void broken(const char *kind, unsigned line)
{
	strcpy(state->kind, kind);
	state->line = line;
	siglongjmp(state->back, 1);
}

void oracle_integer(int probe, long long value)
{
	if (state->count < SEEN) {
		state->seen[state->count].probe = probe, state->seen[state->count].real = 0;
		state->seen[state->count++].value = value;
	}
}

void oracle_real(int probe, double value)
{
	if (state->count < SEEN) {
		state->seen[state->count].probe = probe, state->seen[state->count].real = 1;
		state->seen[state->count++].number = value;
	}
}

#define HANDLER(name, kind) \
	void __ubsan_handle_##name(struct where *at, ...) { broken(kind, at->line); } \
	void __ubsan_handle_##name##_abort(struct where *at, ...) { broken(kind, at->line); }
HANDLER(add_overflow, "overflow")
HANDLER(sub_overflow, "overflow")
HANDLER(mul_overflow, "overflow")
HANDLER(negate_overflow, "overflow")
HANDLER(divrem_overflow, "division")
HANDLER(shift_out_of_bounds, "shift")
HANDLER(out_of_bounds, "bounds")
HANDLER(float_cast_overflow, "conversion")
HANDLER(pointer_overflow, "other")
HANDLER(type_mismatch_v1, "other")
HANDLER(load_invalid_value, "other")
HANDLER(vla_bound_not_positive, "other")
HANDLER(nonnull_arg, "other")
HANDLER(nonnull_return_v1, "other")
HANDLER(invalid_builtin, "other")
HANDLER(builtin_unreachable, "other")
HANDLER(missing_return, "other")
HANDLER(alignment_assumption, "other")

static void caught(int signal)
{
	broken(signal == SIGVTALRM ? "endless" : "crashed", 0);
}

extern char __data_start, _end;

int main(void)
{
	state = mmap(0, sizeof *state, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	sigaltstack(&stack, 0);
	struct sigaction action = { .sa_handler = caught, .sa_flags = SA_ONSTACK | SA_NODEFER };
	int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM };
	for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, 0);
	size_t size = (size_t)(&_end - &__data_start);
	char *saved = malloc(size);
	/* What constructors have done belongs to the start. */
	memcpy(saved, &__data_start, size);
	for (const struct oracle_program *volatile program = oracle_programs; program->run; program++) {
		for (volatile int input = 0; input < program->inputs; input++) {
			struct itimerval limit = { .it_value = { 0, 50000 } }, none = { { 0 } };
			state->count = 0;
			strcpy(state->kind, "clean");
			setitimer(ITIMER_VIRTUAL, &limit, 0);
			if (!sigsetjmp(state->back, 1))
				program->run(input);
			setitimer(ITIMER_VIRTUAL, &none, 0);
			memcpy(&__data_start, saved, size);
			printf("run %d %d %s%s %u", program->number, input, !strchr("ce", *state->kind) || !strcmp(state->kind, "conversion") ? "broken " : "", state->kind, state->line);
			for (int i = 0; i < state->count; i++)
				if (state->seen[i].real)
					printf(" %d:%a", state->seen[i].probe, state->seen[i].number);
				else
					printf(" %d:%lld", state->seen[i].probe, state->seen[i].value);
			printf(state->count == SEEN ? " cut\n" : "\n");
		}
	}
	return 0;
}
