/* Ways through the kernel: sockets, namespaces, rights, clocks, memory that no limit counts. */

#include "attempt.h"

static int connect_to_port(int domain) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number(PORT)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(domain, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

ATTEMPT(connect_tcp) { return connect_to_port(AF_INET); }
ATTEMPT(send_udp) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number(PORT)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return fd >= 0 && sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address) == 1;
}
ATTEMPT(listen_tcp) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0;
}
ATTEMPT(connect_named_socket) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", world[FOLDER]);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
}
ATTEMPT(connect_abstract_socket) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(world[ABSTRACT]);
    memcpy(address.sun_path + 1, world[ABSTRACT], length);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) == 0;
}
ATTEMPT(send_from_a_pair) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(world[ABSTRACT]);
    int fds[2];
    memcpy(address.sun_path + 1, world[ABSTRACT], length);
    return socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) == 0 &&
           sendto(fds[0], "x", 1, 0, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) == 1;
}
ATTEMPT(other_sockets) {
    int domains[] = {AF_NETLINK, AF_PACKET, 40 /* vsock */, 38 /* alg */, 44 /* xdp */, AF_INET6};
    for (unsigned i = 0; i < sizeof domains / sizeof *domains; i++)
        for (int type = 1; type <= 5; type++)
            if (socket(domains[i], type, 0) >= 0)
                return 1;
    return 0;
}
ATTEMPT(ring_of_calls) {
    char parameters[120] = {0};
    return syscall(425, 4, parameters) >= 0;
}
ATTEMPT(x32_call) { return syscall(0x40000000 | 41 /* socket */, AF_INET, SOCK_STREAM, 0) >= 0; }
ATTEMPT(old_machine_call) {
#ifdef __x86_64__
    /* The 32-bit interface numbers calls differently: 20 is getpid there, writev here. A filter that forgets it lets
       everything through. The kernel may end us for it. */
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    return result > 0;
#else
    return 0;
#endif
}
ATTEMPT(new_user_namespace) { return unshare(CLONE_NEWUSER) == 0; }
ATTEMPT(new_mount_namespace) { return unshare(CLONE_NEWNS) == 0; }
ATTEMPT(clone_namespaces) {
    long pid = syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid > 0;
}
ATTEMPT(clone3_namespaces) {
    unsigned long long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    long pid = syscall(435, arguments, 88);
    if (pid == 0)
        _exit(0);
    return pid > 0;
}
ATTEMPT(join_namespace) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/ns/mnt", number(PARENT));
    int fd = open(path, O_RDONLY);
    return (fd >= 0 && setns(fd, 0) == 0) || syscall(SYS_setns, open("/proc/1/ns/mnt", O_RDONLY), 0) == 0;
}
ATTEMPT(mount_something) {
    return mount("none", ".", "tmpfs", 0, 0) == 0 || mount("/", ".", 0, MS_BIND, 0) == 0 ||
           mount(0, "/usr", 0, MS_REMOUNT | MS_BIND, 0) == 0 || umount2("/usr", MNT_DETACH) == 0;
}
ATTEMPT(mount_newer_calls) {
    int tree = (int)syscall(428, AT_FDCWD, "/usr", 1);
    unsigned long long attributes[4] = {0, 1, 0, 0};
    return tree >= 0 || syscall(442, AT_FDCWD, "/usr", 0, attributes, 32) == 0 || syscall(430, "tmpfs", 0) >= 0;
}
ATTEMPT(swap_root) { return syscall(SYS_pivot_root, ".", ".") == 0; }
ATTEMPT(become_root) { return (getuid() != 0 && setuid(0) == 0) || setresuid(0, 0, 0) == 0; }
ATTEMPT(become_another) { return setresuid(12345, 12345, 12345) == 0 || setresgid(12345, 12345, 12345) == 0; }
ATTEMPT(join_groups) {
    gid_t groups[] = {0};
    return syscall(SYS_setgroups, 1, groups) == 0;
}
ATTEMPT(have_capabilities) {
    struct {
        unsigned version;
        int pid;
    } header = {0x20080522, 0};
    unsigned data[6] = {0};
    if (syscall(SYS_capget, &header, data))
        return 0;
    return (data[0] | data[1] | data[2] | data[3] | data[4] | data[5]) != 0;
}
ATTEMPT(keep_capabilities) { return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 || prctl(PR_SET_SECUREBITS, 0, 0, 0, 0) == 0; }
ATTEMPT(set_user_program) {
    /* With new privileges given up, no program gives any. */
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 && errno == 0;
}
ATTEMPT(set_clock) {
    struct timespec past = {1, 0};
    struct timeval then = {1, 0};
    return clock_settime(CLOCK_REALTIME, &past) == 0 || settimeofday(&then, 0) == 0;
}
ATTEMPT(adjust_clock) {
    char buffer[256] = {1};
    return syscall(SYS_adjtimex, buffer) >= 0 || syscall(SYS_clock_adjtime, CLOCK_REALTIME, buffer) >= 0;
}
ATTEMPT(set_host_name) { return sethostname("plumb-escape", 12) == 0 || setdomainname("plumb-escape", 12) == 0; }
ATTEMPT(shared_segment) {
    int id = shmget((key_t)number(SHARED), 0, 0);
    char *at = id < 0 ? (char *)-1 : shmat(id, 0, 0);
    if (at == (char *)-1)
        return 0;
    strcpy(at, "spoiled");
    return 1;
}
ATTEMPT(remove_segment) {
    int id = shmget((key_t)number(SHARED), 0, 0);
    return id >= 0 && shmctl(id, IPC_RMID, 0) == 0;
}
ATTEMPT(make_segment) { return shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0; }
ATTEMPT(make_queue) {
    return syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600) >= 0 || syscall(SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600) >= 0 ||
           syscall(SYS_mq_open, "plumb-escape", O_CREAT | O_RDWR, 0600, 0) >= 0;
}
ATTEMPT(kernel_log) {
    char buffer[4096];
    return syscall(SYS_syslog, 3, buffer, sizeof buffer) > 0;
}
ATTEMPT(kernel_programs) {
    char attributes[128] = {0};
    return syscall(SYS_bpf, 0, attributes, sizeof attributes) >= 0 || syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0) >= 0 ||
           syscall(SYS_userfaultfd, 0) >= 0;
}
ATTEMPT(keys) { return syscall(SYS_add_key, "user", "plumb-escape", "x", 1, -3) >= 0 || syscall(SYS_keyctl, 0, -3, 1) >= 0; }
ATTEMPT(load_module) {
    return syscall(SYS_init_module, "", 0, "") == 0 || syscall(SYS_finit_module, open("/dev/null", O_RDONLY), "", 0) == 0 ||
           syscall(SYS_kexec_load, 0, 0, 0, 0) == 0 || syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0) == 0;
}
ATTEMPT(swap_and_quota) {
    return syscall(SYS_swapon, "/dev/null", 0) == 0 || syscall(SYS_swapoff, "/dev/null") == 0 || syscall(SYS_quotactl, 0, 0, 0, 0) == 0 ||
           syscall(SYS_acct, "account") == 0 || syscall(SYS_vhangup) == 0;
}
ATTEMPT(type_into_terminal) {
    char letter = 'x';
    for (int fd = 0; fd < 3; fd++)
        if (ioctl(fd, TIOCSTI, &letter) == 0)
            return 1;
    return open("/dev/tty", O_RDWR) >= 0;
}
ATTEMPT(watch_everything) { return syscall(SYS_fanotify_init, 0, 0) >= 0; }
ATTEMPT(file_in_memory) {
    /* Memory that no limit on address space counts. */
    int fd = (int)syscall(SYS_memfd_create, "plumb-escape", 0);
    char block[65536];
    memset(block, 1, sizeof block);
    long written = 0;
    while (fd >= 0 && written < 256 << 20 && write(fd, block, sizeof block) > 0)
        written += (long)sizeof block;
    return fd >= 0;
}
ATTEMPT(secret_memory) { return syscall(447, 0) >= 0; }
ATTEMPT(much_memory) {
    long got = 0;
    for (int i = 0; i < 64; i++) {
        char *block = mmap(0, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            break;
        for (long at = 0; at < 16 << 20; at += 4096)
            block[at] = 1;
        got += 16;
    }
    return got > 256;
}
ATTEMPT(locked_memory) {
    void *block = mmap(0, 32 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block != MAP_FAILED && mlock(block, 32 << 20) == 0;
}
ATTEMPT(full_folder) {
    /* Many files, each small enough. */
    char name[32], block[65536];
    long written = 0;
    memset(block, 1, sizeof block);
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "file-%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        for (int k = 0; k < 8; k++) {
            long count = write(fd, block, sizeof block);
            written += count > 0 ? count : 0;
        }
        close(fd);
    }
    return written > 33 << 20;
}
ATTEMPT(large_file) {
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("large", O_CREAT | O_RDWR, 0600);
    return ftruncate(fd, 1LL << 40) == 0 || fallocate(fd, 0, 0, 1 << 30) == 0;
}
ATTEMPT(large_pipe) {
    int fds[2];
    return pipe(fds) == 0 && fcntl(fds[0], F_SETPIPE_SZ, 1 << 20) >= 1 << 20;
}
ATTEMPT(many_descriptors) {
    int count = 0;
    while (count < 100000 && dup(0) >= 0)
        count++;
    return count > 4096;
}
ATTEMPT(many_processes) {
    int count = 0;
    for (int i = 0; i < 2000; i++) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                pause();
        if (child < 0)
            break;
        count++;
    }
    return count > 1000;
}
ATTEMPT(core_file) {
    if (fork() == 0)
        abort();
    wait(0);
    struct rlimit limit = {1 << 20, 1 << 20};
    return setrlimit(RLIMIT_CORE, &limit) == 0 || access("core", F_OK) == 0;
}
ATTEMPT(no_layout_flags) { return syscall(SYS_personality, 0x0400000 /* READ_IMPLIES_EXEC */) == 0; }
ATTEMPT(own_filter) { return syscall(SYS_seccomp, 1, 0, 0) == 0 || prctl(PR_SET_SECCOMP, 1, 0, 0, 0) == 0; }

const struct attempt attempts[] = {
    ENTRY(connect_tcp), ENTRY(send_udp), ENTRY(listen_tcp), ENTRY(connect_named_socket), ENTRY(connect_abstract_socket),
    ENTRY(send_from_a_pair), ENTRY(other_sockets), ENTRY(ring_of_calls), ENTRY(x32_call), ENTRY(old_machine_call),
    ENTRY(new_user_namespace), ENTRY(new_mount_namespace), ENTRY(clone_namespaces), ENTRY(clone3_namespaces),
    ENTRY(join_namespace), ENTRY(mount_something), ENTRY(mount_newer_calls), ENTRY(swap_root), ENTRY(become_root),
    ENTRY(become_another), ENTRY(join_groups), ENTRY(have_capabilities), ENTRY(keep_capabilities), ENTRY(set_user_program),
    ENTRY(set_clock), ENTRY(adjust_clock), ENTRY(set_host_name), ENTRY(shared_segment), ENTRY(remove_segment),
    ENTRY(make_segment), ENTRY(make_queue), ENTRY(kernel_log), ENTRY(kernel_programs), ENTRY(keys), ENTRY(load_module),
    ENTRY(swap_and_quota), ENTRY(type_into_terminal), ENTRY(watch_everything), ENTRY(file_in_memory), ENTRY(secret_memory),
    ENTRY(much_memory), ENTRY(locked_memory), ENTRY(full_folder), ENTRY(large_file), ENTRY(large_pipe),
    ENTRY(many_descriptors), ENTRY(many_processes), ENTRY(core_file), ENTRY(no_layout_flags), ENTRY(own_filter), {0, 0},
};
