/* Ways to other processes: those of the same user, the one that started us, the one that looks after us. */

#include "attempt.h"

static int set_limits(pid_t pid) {
    struct rlimit limit = {1, 1};
    return prlimit(pid, RLIMIT_CPU, &limit, 0) == 0;
}

ATTEMPT(kill_victim) { return kill((pid_t)number(VICTIM), SIGKILL) == 0; }
ATTEMPT(kill_parent) { return kill((pid_t)number(PARENT), SIGKILL) == 0; }
ATTEMPT(stop_victim) { return kill((pid_t)number(VICTIM), SIGSTOP) == 0; }
ATTEMPT(kill_thread_of_victim) {
    return syscall(SYS_tgkill, number(VICTIM), number(VICTIM), SIGKILL) == 0 || syscall(SYS_tkill, number(VICTIM), SIGKILL) == 0;
}
ATTEMPT(queue_signal) {
    siginfo_t info = {0};
    info.si_code = SI_QUEUE;
    return syscall(SYS_rt_sigqueueinfo, number(VICTIM), SIGTERM, &info) == 0;
}
/* Signal 0 asks whether a signal could be sent: a hole found here must not end the machine it is found on. */
ATTEMPT(kill_everybody) { return kill(-1, 0) == 0; }
ATTEMPT(kill_group_of_victim) { return kill(-(pid_t)number(VICTIM), SIGKILL) == 0; }
ATTEMPT(kill_init) {
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
    kill(getppid(), SIGSTOP);
    return 0;
}
ATTEMPT(signal_by_descriptor) {
    int fd = (int)syscall(434, number(VICTIM), 0);
    return fd >= 0 && syscall(424, fd, SIGKILL, 0, 0) == 0;
}
ATTEMPT(signal_by_owner) {
    int fds[2];
    if (pipe(fds) || fcntl(fds[0], F_SETOWN, (int)number(VICTIM)))
        return 0;
    fcntl(fds[0], F_SETSIG, SIGKILL);
    fcntl(fds[0], F_SETFL, O_ASYNC | O_NONBLOCK);
    return write(fds[1], "x", 1) == 1;
}
ATTEMPT(signal_by_timer) {
    struct sigevent event = {0};
    struct itimerspec soon = {{0, 0}, {0, 1}};
    timer_t timer;
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGKILL;
    event._sigev_un._tid = (pid_t)number(VICTIM);
    return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0 && syscall(SYS_timer_settime, timer, 0, &soon, 0) == 0;
}
ATTEMPT(limits_of_victim) { return set_limits((pid_t)number(VICTIM)); }
ATTEMPT(limits_of_parent) { return set_limits((pid_t)number(PARENT)); }
ATTEMPT(limits_of_init) { return set_limits(getppid()); }
ATTEMPT(raise_own_limits) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_AS, &limit) == 0 || setrlimit(RLIMIT_NPROC, &limit) == 0 || setrlimit(RLIMIT_FSIZE, &limit) == 0;
}
ATTEMPT(priority_of_victim) { return setpriority(PRIO_PROCESS, (id_t)number(VICTIM), 19) == 0; }
ATTEMPT(priority_of_all) { return setpriority(PRIO_USER, 0, 19) == 0; }
ATTEMPT(own_priority_up) { return nice(-10) != -1; }
ATTEMPT(scheduler_of_victim) {
    struct sched_param parameter = {0};
    return sched_setscheduler((pid_t)number(VICTIM), SCHED_IDLE, &parameter) == 0;
}
ATTEMPT(processor_of_victim) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return sched_setaffinity((pid_t)number(VICTIM), sizeof set, &set) == 0;
}
ATTEMPT(trace_victim) { return ptrace(PTRACE_ATTACH, (pid_t)number(VICTIM), 0, 0) == 0; }
ATTEMPT(seize_parent) { return ptrace(PTRACE_SEIZE, (pid_t)number(PARENT), 0, 0) == 0; }
ATTEMPT(trace_init) { return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0; }
ATTEMPT(trace_child) {
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    int traced = ptrace(PTRACE_ATTACH, child, 0, 0) == 0;
    kill(child, SIGKILL);
    return traced;
}
static int read_memory_of(pid_t pid) {
    char bytes[64];
    struct iovec here = {bytes, sizeof bytes}, there = {(void *)main, sizeof bytes};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) > 0;
}
ATTEMPT(memory_of_victim) { return read_memory_of((pid_t)number(VICTIM)); }
ATTEMPT(memory_of_init) { return read_memory_of(getppid()); }
static int look_at(long pid) {
    char path[64];
    const char *files[] = {"environ", "cmdline", "maps", "mem", "root/etc/shadow", "cwd/private", "fd/0"};
    int seen = 0;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "/proc/%ld/%s", pid, files[i]);
        seen |= show(path);
    }
    return seen;
}
ATTEMPT(proc_of_parent) { return look_at(number(PARENT)); }
ATTEMPT(proc_of_victim) { return look_at(number(VICTIM)); }
ATTEMPT(proc_of_init) { return look_at(getppid()); }
ATTEMPT(proc_of_first) { return look_at(1); }
ATTEMPT(write_proc_of_victim) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/oom_score_adj", number(VICTIM));
    int fd = open(path, O_WRONLY);
    return fd >= 0 && write(fd, "1000", 4) == 4;
}
ATTEMPT(descriptor_of_parent) {
    int fd = (int)syscall(434, number(PARENT), 0);
    return fd >= 0 && syscall(438, fd, number(LEAKED), 0) >= 0;
}
ATTEMPT(inherited_file) { return write_to((int)number(LEAKED)); }
ATTEMPT(inherited_pipe) { return write_to((int)number(PIPE)); }
ATTEMPT(any_inherited) {
    int found = 0;
    for (int fd = 3; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            found |= write_to(fd);
    return found;
}
ATTEMPT(compare_with_parent) { return syscall(SYS_kcmp, getpid(), number(PARENT), 0, 0, 0) >= 0; }
ATTEMPT(environment) {
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
    return getenv("PLUMB_ESCAPE_SECRET") != 0;
}
/* Left behind: found by the marker among the arguments, which children inherit. */
ATTEMPT(daemon_left) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    return setsid() >= 0;
}
ATTEMPT(group_left) {
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    return setpgid(child, child) == 0;
}
ATTEMPT(many_left) {
    for (int i = 0; i < 10; i++)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, 0);
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            for (;;)
                pause();
        }
    return 0;
}
ATTEMPT(adopted_left) {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (fork() == 0) {
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    return 0;
}

static int writes(const char *path, const char *text) {
    int fd = open(path, O_WRONLY);
    return fd >= 0 && write(fd, text, strlen(text)) == (long)strlen(text);
}
ATTEMPT(own_identities) {
    return writes("/proc/self/uid_map", "0 0 1\n") || writes("/proc/self/gid_map", "0 0 1\n") ||
           writes("/proc/self/setgroups", "allow\n");
}
/* Others would be chosen first when memory is short. */
ATTEMPT(own_protection) { return writes("/proc/self/oom_score_adj", "-900"); }
/* Timers are counted by user, and others of the user would get none. */
ATTEMPT(many_timers) {
    int count = 0;
    timer_t timer;
    while (count < 20000 && timer_create(CLOCK_MONOTONIC, 0, &timer) == 0)
        count++;
    return count > 5000;
}

const struct attempt attempts[] = {
    ENTRY(kill_victim), ENTRY(kill_parent), ENTRY(stop_victim), ENTRY(kill_thread_of_victim), ENTRY(queue_signal),
    ENTRY(kill_everybody), ENTRY(kill_group_of_victim), ENTRY(kill_init), ENTRY(signal_by_descriptor), ENTRY(signal_by_owner),
    ENTRY(signal_by_timer), ENTRY(limits_of_victim), ENTRY(limits_of_parent), ENTRY(limits_of_init), ENTRY(raise_own_limits),
    ENTRY(priority_of_victim), ENTRY(priority_of_all), ENTRY(own_priority_up), ENTRY(scheduler_of_victim),
    ENTRY(processor_of_victim), ENTRY(trace_victim), ENTRY(seize_parent), ENTRY(trace_init), ENTRY(trace_child),
    ENTRY(memory_of_victim), ENTRY(memory_of_init), ENTRY(proc_of_parent), ENTRY(proc_of_victim), ENTRY(proc_of_init),
    ENTRY(proc_of_first), ENTRY(write_proc_of_victim), ENTRY(descriptor_of_parent), ENTRY(inherited_file),
    ENTRY(inherited_pipe), ENTRY(any_inherited), ENTRY(compare_with_parent), ENTRY(environment), ENTRY(daemon_left),
    ENTRY(group_left), ENTRY(many_left), ENTRY(adopted_left), ENTRY(own_identities), ENTRY(own_protection),
    ENTRY(many_timers), {0, 0},
};
