/* Makes the n-th call of a kind fail: loaded into plumb with LD_PRELOAD by tools/fault-injection.

   PLUMB_FAULT=KIND:N says which; with N = 0 nothing fails. PLUMB_FAULT_COUNTS names a file, shared with children that are copies of
   the process, in which the calls of each kind are counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { MEMORY, OPEN, WRITE, READ, FOLDER, PIPE, THREAD, CHILD, KILLED, SILENT, UNSAT, SAT, KINDS };
static const char *const names[KINDS] = { "memory", "open", "write", "short-read", "folder", "pipe", "thread",
    "child", "killed-child", "silent-solver", "unsat-solver", "sat-solver" };

static _Atomic long own_counts[KINDS];
static _Atomic long *counts = own_counts;
static int wanted = KINDS;
static long number;
/* Nothing fails before the program begins. */
static int ready;

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("PLUMB_FAULT_COUNTS"), *fault = getenv("PLUMB_FAULT");
    if (path) {
        int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0 && ftruncate(fd, sizeof own_counts) == 0) {
            void *shared = mmap(NULL, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            if (shared != MAP_FAILED)
                counts = shared;
        }
        close(fd);
    }
    for (int kind = 0; fault && kind < KINDS; kind++) {
        size_t length = strlen(names[kind]);
        if (strncmp(fault, names[kind], length) == 0 && fault[length] == ':') {
            wanted = kind;
            number = atol(fault + length + 1);
        }
    }
    unsetenv("LD_PRELOAD");
    ready = 1;
}

static int fails(enum kind kind)
{
    if (!ready)
        return 0;
    long now = atomic_fetch_add(&counts[kind], 1) + 1;
    return (int)kind == wanted && now == number;
}

#define BIG (1 << 20)

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    REAL(mmap);
    if (fd < 0 && size >= BIG && fails(MEMORY)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(at, size, protection, flags, fd, offset);
}

static int mode_of(int flags, va_list list)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
}

#define OPENER(name) \
    int name(const char *path, int flags, ...) \
    { \
        REAL(name); \
        va_list list; \
        va_start(list, flags); \
        int mode = mode_of(flags, list); \
        va_end(list); \
        if (fails(OPEN)) { \
            errno = EMFILE; \
            return -1; \
        } \
        return real(path, flags, mode); \
    }
OPENER(open)
OPENER(open64)

ssize_t write(int fd, const void *bytes, size_t count)
{
    REAL(write);
    if (fails(WRITE)) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    REAL(writev);
    if (fails(WRITE)) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, pieces, count);
}

ssize_t read(int fd, void *bytes, size_t count)
{
    REAL(read);
    return real(fd, bytes, count > 1 && fails(READ) ? 1 : count);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(mkdir);
    if (fails(FOLDER)) {
        errno = ENOSPC;
        return -1;
    }
    return real(path, mode);
}

int pipe2(int ends[2], int flags)
{
    REAL(pipe2);
    if (fails(PIPE)) {
        errno = EMFILE;
        return -1;
    }
    return real(ends, flags);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    REAL(socketpair);
    if (fails(PIPE)) {
        errno = EMFILE;
        return -1;
    }
    return real(domain, type, protocol, ends);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    REAL(pthread_create);
    return fails(THREAD) ? EAGAIN : real(thread, attributes, start, argument);
}

/* The sandbox makes its children by the system call itself. */
long syscall(long call, ...)
{
    REAL(syscall);
    va_list list;
    va_start(list, call);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
         e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (call != SYS_clone)
        return real(call, a, b, c, d, e, f);
    if (fails(CHILD)) {
        errno = EAGAIN;
        return -1;
    }
    int dies = fails(KILLED);
    long child = real(call, a, b, c, d, e, f);
    if (dies && child > 0)
        kill((pid_t)child, SIGKILL);
    return child;
}

/* Answers of Z3: -1 no, 0 it cannot tell, 1 yes. */
static int told(int answer)
{
    if (fails(SILENT))
        return 0;
    if (fails(UNSAT))
        return -1;
    return fails(SAT) ? 1 : answer;
}

int Z3_solver_check(void *context, void *solver)
{
    static int (*real)(void *, void *);
    if (!real)
        real = (int (*)(void *, void *))dlsym(RTLD_NEXT, "Z3_solver_check");
    return told(real(context, solver));
}

int Z3_solver_check_assumptions(void *context, void *solver, unsigned count, void *const *assumptions)
{
    static int (*real)(void *, void *, unsigned, void *const *);
    if (!real)
        real = (int (*)(void *, void *, unsigned, void *const *))dlsym(RTLD_NEXT, "Z3_solver_check_assumptions");
    return told(real(context, solver, count, assumptions));
}
