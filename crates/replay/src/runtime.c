/* The part of a native run that lives inside the program: it reads the run's inputs from the channel and writes
   what happened back to it. The channel is shared memory handed over as a file descriptor; channel.rs documents its
   layout, and the numbers here must agree with the constants there (a test compares them).

   Rows are written in place, without a system call, so they survive any crash. Every definition a program may make
   itself is weak: the program's own one wins. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef unsigned long long plumb_cell;

enum {
    PLUMB_MAGIC,
    PLUMB_CAPACITY,
    PLUMB_RECORDS,
    PLUMB_POSITION,
    PLUMB_DROPPED,
    PLUMB_PARAMS,
    PLUMB_NONDETS,
    PLUMB_NONDET_NEXT,
    PLUMB_INPUTS,
    PLUMB_COUNTERS,
    PLUMB_COUNTER_COUNT,
    PLUMB_END_KIND,
    PLUMB_END_PID,
    PLUMB_END_A,
    PLUMB_END_B,
    PLUMB_END_TEXT_LENGTH,
    PLUMB_END_TEXT,
    PLUMB_END_TEXT_CELLS = 64
};

enum { PLUMB_END_NONE, PLUMB_END_ASSUMED, PLUMB_END_ASSERT, PLUMB_END_VERIFIER, PLUMB_END_REACHED, PLUMB_END_RETURNED };
enum { PLUMB_VALUE_NONE, PLUMB_VALUE_INT, PLUMB_VALUE_FLOAT };

#define PLUMB_MAGIC_VALUE 0x3148434d554c50ull /* "PLUMCH1" */

static volatile plumb_cell *channel;

__attribute__((constructor(101))) static void plumb_open(void) {
    const char *number = getenv("PLUMB_CHANNEL");
    struct stat info;
    if (!number)
        return;
    int fd = atoi(number);
    unsetenv("PLUMB_CHANNEL");
    if (fstat(fd, &info) == 0) {
        void *at = mmap(0, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at != MAP_FAILED && *(plumb_cell *)at == PLUMB_MAGIC_VALUE)
            channel = at;
    }
    close(fd);
}

/* A record is visible once its first cell, written last, is not zero. Space is reserved with one atomic addition, so
   threads and forked children do not write over each other. */
void plumb_row(unsigned point, unsigned count, const plumb_cell *cells) {
    if (!channel)
        return;
    plumb_cell at = __atomic_fetch_add(&channel[PLUMB_POSITION], (plumb_cell)count + 1, __ATOMIC_RELAXED);
    if (at + count + 1 > channel[PLUMB_CAPACITY]) {
        __atomic_fetch_add(&channel[PLUMB_DROPPED], 1, __ATOMIC_RELAXED);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        channel[at + 1 + i] = cells[i];
    __atomic_store_n(&channel[at], ((plumb_cell)count << 32 | point) + 1, __ATOMIC_RELEASE);
}

void plumb_count(unsigned counter) {
    if (channel && counter < channel[PLUMB_COUNTER_COUNT])
        __atomic_fetch_add(&channel[channel[PLUMB_COUNTERS] + counter], 1, __ATOMIC_RELAXED);
}

plumb_cell plumb_bits(double value) {
    plumb_cell bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The first ending of a process counts. */
static void plumb_end(plumb_cell kind, plumb_cell a, plumb_cell b, const char *text) {
    plumb_cell none = PLUMB_END_NONE;
    if (!channel || channel[PLUMB_END_PID] != 0)
        return;
    size_t length = text ? strlen(text) : 0;
    if (length > PLUMB_END_TEXT_CELLS * sizeof(plumb_cell))
        length = PLUMB_END_TEXT_CELLS * sizeof(plumb_cell);
    if (length)
        memcpy((char *)&channel[PLUMB_END_TEXT], text, length);
    channel[PLUMB_END_TEXT_LENGTH] = length;
    channel[PLUMB_END_A] = a;
    channel[PLUMB_END_B] = b;
    channel[PLUMB_END_PID] = (plumb_cell)getpid();
    __atomic_compare_exchange_n(&channel[PLUMB_END_KIND], &none, kind, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Inputs: three cells each, the kind of value and its 128 bits. */

static volatile plumb_cell *plumb_input(plumb_cell index) {
    return &channel[channel[PLUMB_INPUTS] + 3 * index];
}

static unsigned __int128 plumb_as_int(volatile plumb_cell *input) {
    if (input[0] == PLUMB_VALUE_FLOAT) {
        double value;
        plumb_cell bits = input[1];
        memcpy(&value, &bits, sizeof value);
        return (unsigned __int128)(__int128)value;
    }
    return (unsigned __int128)input[2] << 64 | input[1];
}

static double plumb_as_float(volatile plumb_cell *input) {
    double value;
    plumb_cell bits = input[1];
    if (input[0] == PLUMB_VALUE_INT)
        return (double)(__int128)plumb_as_int(input);
    memcpy(&value, &bits, sizeof value);
    return value;
}

unsigned __int128 plumb_param_int(unsigned index) {
    return channel && index < channel[PLUMB_PARAMS] ? plumb_as_int(plumb_input(index)) : 0;
}

double plumb_param_float(unsigned index) {
    return channel && index < channel[PLUMB_PARAMS] ? plumb_as_float(plumb_input(index)) : 0;
}

void plumb_returned_nothing(void) {
    plumb_end(PLUMB_END_RETURNED, 0, 0, 0);
}

void plumb_returned_int(unsigned __int128 value) {
    plumb_end(PLUMB_END_RETURNED, (plumb_cell)value, (plumb_cell)(value >> 64), "i");
}

void plumb_returned_float(double value) {
    plumb_end(PLUMB_END_RETURNED, plumb_bits(value), 0, "f");
}

/* The answers to the program's nondet calls, in order; zero when they run out. */

static volatile plumb_cell *plumb_nondet(void) {
    if (!channel)
        return 0;
    plumb_cell index = __atomic_fetch_add(&channel[PLUMB_NONDET_NEXT], 1, __ATOMIC_RELAXED);
    return index < channel[PLUMB_NONDETS] ? plumb_input(channel[PLUMB_PARAMS] + index) : 0;
}

static unsigned __int128 plumb_nondet_int(void) {
    volatile plumb_cell *input = plumb_nondet();
    return input ? plumb_as_int(input) : 0;
}

static double plumb_nondet_float(void) {
    volatile plumb_cell *input = plumb_nondet();
    return input ? plumb_as_float(input) : 0;
}

#define ANSWERED(type, name, answer)                                                                                   \
    __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)answer(); }                               \
    __attribute__((weak)) type __CPROVER_nondet_##name(void) { return (type)answer(); }                                \
    __attribute__((weak)) type nondet_##name(void) { return (type)answer(); }
#define NONDET(type, name) ANSWERED(type, name, plumb_nondet_int)
#define NONDET_FLOAT(type, name) ANSWERED(type, name, plumb_nondet_float)

NONDET(_Bool, bool)
NONDET(_Bool, _Bool)
NONDET(char, char)
NONDET(signed char, schar)
NONDET(unsigned char, uchar)
NONDET(unsigned char, unsigned_char)
NONDET(unsigned char, u8)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(unsigned short, u16)
NONDET(int, int)
NONDET(unsigned int, uint)
NONDET(unsigned int, unsigned)
NONDET(unsigned int, unsigned_int)
NONDET(unsigned int, u32)
NONDET(long, long)
NONDET(long, loff_t)
NONDET(unsigned long, ulong)
NONDET(unsigned long, size_t)
NONDET(unsigned long, sector_t)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(__int128, int128)
NONDET(unsigned __int128, uint128)
NONDET_FLOAT(float, float)
NONDET_FLOAT(double, double)

/* Assumptions and claims. */

void plumb_assume(int holds) {
    if (holds)
        return;
    plumb_end(PLUMB_END_ASSUMED, 0, 0, 0);
    fflush(0);
    _exit(0);
}

__attribute__((weak)) void vassume(int holds) {
    plumb_assume(holds);
}

__attribute__((weak)) void __VERIFIER_assume(int holds) {
    plumb_assume(holds);
}

__attribute__((weak)) void __CPROVER_assume(int holds) {
    plumb_assume(holds);
}

__attribute__((weak)) void __ESBMC_assume(int holds) {
    plumb_assume(holds);
}

static void plumb_claim(int holds) {
    if (holds)
        return;
    plumb_end(PLUMB_END_VERIFIER, 0, 0, 0);
    abort();
}

__attribute__((weak)) void __VERIFIER_assert(int holds) {
    plumb_claim(holds);
}

__attribute__((weak)) void __CPROVER_assert(int holds, const char *text) {
    (void)text;
    plumb_claim(holds);
}

__attribute__((weak)) void __ESBMC_assert(int holds, const char *text) {
    (void)text;
    plumb_claim(holds);
}

/* Where the header of `assert` is not included, a call of it is a call. */
__attribute__((weak)) void assert(int holds) {
    plumb_claim(holds);
}

__attribute__((weak)) void reach_error(void) {
    plumb_end(PLUMB_END_REACHED, 0, 0, 0);
    abort();
}

__attribute__((weak)) void __VERIFIER_error(void) {
    plumb_end(PLUMB_END_REACHED, 0, 0, 0);
    abort();
}

/* What the standard `assert` calls in glibc; the message is the library's. */
__attribute__((weak)) void __assert_fail(const char *claim, const char *file, unsigned line, const char *function) {
    char text[PLUMB_END_TEXT_CELLS * sizeof(plumb_cell)];
    snprintf(text, sizeof text, "%s:%u: %s", file, line, claim);
    plumb_end(PLUMB_END_ASSERT, 0, 0, text);
    fflush(stdout);
    fprintf(stderr, "%s%s%s:%u: %s%sAssertion `%s' failed.\n", program_invocation_short_name,
            program_invocation_short_name[0] ? ": " : "", file, line, function ? function : "", function ? ": " : "", claim);
    fflush(stderr);
    abort();
}

/* The library's own opens a file in /tmp, where the sandbox lets nobody write. */
__attribute__((weak)) FILE *tmpfile(void) {
    char name[] = "./plumb-tmpfile-XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0)
        return 0;
    unlink(name);
    return fdopen(fd, "w+b");
}

/* An entry other than main runs before main, once every constructor of the program has run: this object is linked
   last. `main` below only satisfies the linker, and only where there is such an entry: a program that should have a
   main and has none is an error that the linker reports. */
#ifdef PLUMB_ENTRY
extern void plumb_entry(void);

__attribute__((constructor)) static void plumb_start(void) {
    plumb_entry();
    exit(0);
}

__attribute__((weak)) int main(void) {
    return 0;
}
#endif
