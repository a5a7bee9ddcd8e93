/* The part of a checking program that knows nothing of the function checked: it reads the job, keeps the page that
   tells how far the work is, watches for calls that do not come back, and starts the loop. native.rs writes the job and
   reads the page; the numbers here must agree with the constants there (a test compares them). */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef union {
    long long i;
    unsigned long long u;
    double d;
} plumb_cell;

enum {
    PLUMB_STATE,
    PLUMB_ROW,
    PLUMB_BEAT,
    PLUMB_TUPLES,
    PLUMB_CALLS,
    PLUMB_CHECKS,
    PLUMB_ELAPSED,
    PLUMB_DIGEST,
    PLUMB_DIGEST2,
    PLUMB_PROCESSOR,
    PLUMB_UNTIL,
    PLUMB_INPUT = 16
};

enum { PLUMB_RUNNING, PLUMB_DONE, PLUMB_VIOLATED, PLUMB_STUCK };
enum { PLUMB_SEARCH, PLUMB_SAMPLE, PLUMB_ANSWER, PLUMB_REPRESENT };

volatile unsigned long long *plumb_page;
unsigned long long plumb_careful, plumb_from, plumb_until, plumb_generators, plumb_represent;
unsigned long long plumb_list_count;
const plumb_cell *plumb_list;
struct plumb_domain {
    unsigned long long count;
    long long lo;
    const plumb_cell *table;
} *plumb_domains;

extern void plumb_search(unsigned shape);
extern void plumb_sample(unsigned shape);
extern void plumb_answer(unsigned shape, const plumb_cell *in, plumb_cell *out);
extern const unsigned plumb_slots[], plumb_positions[];

/* The permutation is written behind the input. */
void plumb_violated(const plumb_cell *input, unsigned slots, const unsigned *theta, unsigned k) {
    unsigned i;
    for (i = 0; i < slots; i++)
        plumb_page[PLUMB_INPUT + i] = input[i].u;
    for (i = 0; i < k; i++)
        plumb_page[PLUMB_INPUT + slots + i] = theta[i];
    plumb_page[PLUMB_STATE] = PLUMB_VIOLATED;
}

void plumb_note(const plumb_cell *input, unsigned slots) {
    unsigned i;
    for (i = 0; i < slots; i++)
        plumb_page[PLUMB_INPUT + i] = input[i].u;
}

static unsigned long long now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec;
}

/* What the children that share the rows have in common: the first row that nobody has taken, how many children have
   come, how many are to come, which of how many parts of the rows is theirs, and the tuples that are done. Where there
   are several parts, runs of rows are counted and not rows. */
static struct {
    unsigned long long row, come, children, part, parts, tuples;
} *untaken;

/* The parts take turns of so many rows. */
enum { PLUMB_TURN = 64 };

/* Takes the next rows, so many that they last some microseconds: long enough that taking them costs little, and short
   enough that the children end together. A row may be long or short, so the first is taken alone. */
void plumb_take(unsigned long long *from, unsigned long long *until) {
    static unsigned long long count, taken, told;
    unsigned long long moment = now(CLOCK_MONOTONIC), tuples = plumb_page[PLUMB_TUPLES];
    if (!count)
        count = 1;
    else if (moment - taken < 2000 && count < 512)
        count *= moment - taken < 500 ? 4 : 2;
    else if (moment - taken > 8000 && count > 1)
        count /= 2;
    taken = moment;
    if (untaken->parts > 1) {
        unsigned long long turn = __atomic_fetch_add(&untaken->row, 1, __ATOMIC_RELAXED);
        *from = (turn * untaken->parts + untaken->part) * PLUMB_TURN;
        *until = *from + PLUMB_TURN;
    } else {
        *from = __atomic_fetch_add(&untaken->row, count, __ATOMIC_RELAXED);
        *until = *from + count;
    }
    (void)__atomic_fetch_add(&untaken->tuples, tuples - told, __ATOMIC_RELAXED);
    told = tuples;
    plumb_page[PLUMB_UNTIL] = *until;
}

/* Waits for the other children, or the first would do the work of a short loop alone; but not for long, since one may
   never come. */
static void together(void) {
    unsigned long long end = now(CLOCK_MONOTONIC) + 2000000;
    (void)__atomic_fetch_add(&untaken->come, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&untaken->come, __ATOMIC_RELAXED) < untaken->children && now(CLOCK_MONOTONIC) < end)
        sched_yield();
}

static unsigned long long limit_ns;
static unsigned long long seen_progress, seen_processor, seen_wall;

/* A call hangs if it uses its time without an end. Processor time counts, so that a busy machine makes no difference;
   a call that waits for something is given more of the clock. */
static void watch(int signal) {
    unsigned long long progress = plumb_page[PLUMB_ROW] * 1000003ull + plumb_page[PLUMB_BEAT];
    unsigned long long processor = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    (void)signal;
    if (progress != seen_progress) {
        seen_progress = progress;
        seen_processor = processor;
        seen_wall = wall;
    } else if (processor - seen_processor > limit_ns || wall - seen_wall > 10 * limit_ns) {
        plumb_page[PLUMB_STATE] = PLUMB_STUCK;
        _exit(0);
    }
}

static void fail(const char *what) {
    fprintf(stderr, "plumb: %s\n", what);
    _exit(77);
}

int main(void) {
    struct stat info;
    struct sigaction action;
    struct itimerval timer;
    unsigned long long *job, *word, mode, shape, sanitized, domains, i, started, used;
    size_t length;
    int fd = open("job", O_RDONLY), null;
    if (fd < 0 || fstat(fd, &info) != 0 || !(job = malloc((size_t)info.st_size)))
        fail("no job");
    for (length = 0; length < (size_t)info.st_size;) {
        ssize_t got = read(fd, (char *)job + length, (size_t)info.st_size - length);
        if (got <= 0)
            fail("the job is cut short");
        length += (size_t)got;
    }
    close(fd);
    fd = open("page", O_RDWR);
    if (fd < 0 || fstat(fd, &info) != 0)
        fail("no page");
    plumb_page = mmap(0, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (plumb_page == MAP_FAILED)
        fail("the page cannot be mapped");
    close(fd);
    fd = open("untaken", O_RDWR);
    if (fd >= 0) {
        untaken = mmap(0, sizeof *untaken, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (untaken == MAP_FAILED)
            fail("the rows cannot be shared");
        close(fd);
    }

    word = job;
    mode = *word++;
    shape = *word++;
    plumb_careful = *word++;
    plumb_from = *word++;
    plumb_until = *word++;
    plumb_generators = *word++;
    limit_ns = *word++;
    sanitized = *word++;
    domains = *word++;
    plumb_domains = calloc(domains + 1, sizeof *plumb_domains);
    for (i = 0; i < domains; i++) {
        unsigned long long listed = *word++;
        plumb_domains[i].count = *word++;
        if (listed) {
            plumb_domains[i].table = (const plumb_cell *)word;
            word += plumb_domains[i].count;
        } else {
            plumb_domains[i].lo = (long long)*word++;
        }
    }
    plumb_list_count = *word++;
    plumb_list = (const plumb_cell *)word;
    plumb_represent = mode == PLUMB_REPRESENT;

    /* What the function prints is not looked at. Standard error is kept for the sanitizers. */
    null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, 0);
        dup2(null, 1);
        if (!sanitized)
            dup2(null, 2);
        close(null);
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = watch;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, 0);
    timer.it_interval.tv_sec = 0;
    timer.it_interval.tv_usec = 50000;
    timer.it_value = timer.it_interval;
    seen_processor = now(CLOCK_PROCESS_CPUTIME_ID);
    seen_wall = now(CLOCK_MONOTONIC);
    setitimer(ITIMER_REAL, &timer, 0);
    /* The first touch of a mapped page is the kernel's time, not that of the loop. */
    plumb_page[PLUMB_ROW] = 0;
    if (untaken)
        together();
    used = now(CLOCK_PROCESS_CPUTIME_ID);
    started = now(CLOCK_MONOTONIC);

    if (mode == PLUMB_ANSWER) {
        unsigned slots = plumb_slots[shape], positions = plumb_positions[shape];
        size_t bytes = (size_t)plumb_list_count * positions * sizeof(plumb_cell);
        plumb_cell *answers = 0;
        fd = open("answers", O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0)
            fail("the answers cannot be written");
        if (bytes) {
            answers = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            if (answers == MAP_FAILED)
                fail("the answers cannot be mapped");
        }
        for (i = 0; i < plumb_list_count; i++) {
            plumb_page[PLUMB_ROW] = i;
            /* A program starts with 0 there; what was opened and mapped above may have left something else. */
            errno = 0;
            plumb_answer((unsigned)shape, plumb_list + i * slots, answers + i * positions);
            plumb_page[PLUMB_CALLS] = i + 1;
        }
    } else if (mode == PLUMB_SAMPLE) {
        errno = 0;
        plumb_sample((unsigned)shape);
    } else {
        errno = 0;
        plumb_search((unsigned)shape);
    }
    plumb_page[PLUMB_ELAPSED] = now(CLOCK_MONOTONIC) - started;
    plumb_page[PLUMB_PROCESSOR] = now(CLOCK_PROCESS_CPUTIME_ID) - used;
    if (plumb_page[PLUMB_STATE] == PLUMB_RUNNING)
        plumb_page[PLUMB_STATE] = PLUMB_DONE;
    _exit(0);
}
