/* Ways to files that are not the program's. */

#include "attempt.h"

ATTEMPT(read_precious) { return show(outside("precious")); }
ATTEMPT(read_private) { return show(outside("private")); }
ATTEMPT(read_shadow) { return show("/etc/shadow"); }
ATTEMPT(read_by_dots) {
    char path[8192] = "";
    for (int i = 0; i < 40; i++)
        strcat(path, "../");
    strcat(path, world[FOLDER] + 1);
    strcat(path, "/private");
    return show(path);
}
ATTEMPT(read_by_own_link) {
    symlink(outside("private"), "link");
    return show("link");
}
ATTEMPT(hard_link_in) { return link(outside("precious"), "linked") == 0 && show("linked"); }
ATTEMPT(write_precious) { return write_to(open(outside("precious"), O_WRONLY)); }
ATTEMPT(append_precious) { return write_to(open(outside("precious"), O_WRONLY | O_APPEND)); }
ATTEMPT(truncate_precious) { return truncate(outside("precious"), 0) == 0; }
ATTEMPT(open_truncating) { return open(outside("precious"), O_RDONLY | O_TRUNC) >= 0; }
ATTEMPT(create_outside) { return write_to(open(outside("plumb-escape-new"), O_CREAT | O_WRONLY, 0600)); }
ATTEMPT(create_unnamed_outside) { return open(world[FOLDER], O_TMPFILE | O_RDWR, 0600) >= 0; }
ATTEMPT(make_folder_outside) { return mkdir(outside("plumb-escape-folder"), 0700) == 0; }
ATTEMPT(make_link_outside) { return symlink("/etc/passwd", outside("plumb-escape-link")) == 0; }
ATTEMPT(make_pipe_outside) { return mkfifo(outside("plumb-escape-pipe"), 0600) == 0; }
ATTEMPT(remove_precious) { return unlink(outside("precious")) == 0; }
ATTEMPT(remove_folder) { return rmdir(outside("folder")) == 0; }
ATTEMPT(rename_precious) { return rename(outside("precious"), "mine") == 0; }
ATTEMPT(replace_precious) {
    close(open("mine", O_CREAT | O_WRONLY, 0600));
    return rename("mine", outside("precious")) == 0;
}
ATTEMPT(exchange_precious) {
    close(open("mine", O_CREAT | O_WRONLY, 0600));
    return syscall(SYS_renameat2, AT_FDCWD, "mine", AT_FDCWD, outside("precious"), 2) == 0;
}
ATTEMPT(change_mode) { return chmod(outside("precious"), 0777) == 0; }
ATTEMPT(change_mode_at) { return syscall(SYS_fchmodat, AT_FDCWD, outside("precious"), 0777) == 0; }
ATTEMPT(change_mode_of_program) { return chmod("/proc/self/exe", 0777) == 0; }
ATTEMPT(change_mode_newer_call) { return syscall(452, AT_FDCWD, outside("precious"), 0777, 0) == 0; }
ATTEMPT(change_owner) { return chown(outside("precious"), 12345, 12345) == 0; }
ATTEMPT(change_times) {
    struct timespec times[2] = {{1, 0}, {1, 0}};
    return utimensat(AT_FDCWD, outside("precious"), times, 0) == 0;
}
ATTEMPT(change_times_older_call) {
#ifdef SYS_utimes
    struct timeval times[2] = {{1, 0}, {1, 0}};
    return syscall(SYS_utimes, outside("precious"), times) == 0;
#else
    return 0;
#endif
}
ATTEMPT(change_attribute) { return setxattr(outside("precious"), "user.plumb", "x", 1, 0) == 0; }
ATTEMPT(change_flags) {
    int fd = open(outside("precious"), O_RDONLY), flags = 0x10;
    return fd >= 0 && ioctl(fd, _IOW('f', 2, long), &flags) == 0;
}
ATTEMPT(temporary_files_of_all) {
    return write_to(open("/tmp/plumb-escape-file", O_CREAT | O_WRONLY, 0600)) |
           write_to(open("/var/tmp/plumb-escape-file", O_CREAT | O_WRONLY, 0600));
}
ATTEMPT(shared_memory_of_all) {
    return write_to(open("/dev/shm/plumb-escape-file", O_CREAT | O_RDWR, 0600));
}
ATTEMPT(device_node) {
    return mknod("disk", S_IFBLK | 0600, makedev(8, 0)) == 0 || mknod("mem", S_IFCHR | 0600, makedev(1, 1)) == 0 ||
           syscall(SYS_mknodat, AT_FDCWD, "disk2", S_IFBLK | 0600, makedev(254, 0)) == 0;
}
ATTEMPT(open_disk) {
    const char *disks[] = {"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg", "/dev/tty", "/dev/ptmx"};
    for (unsigned i = 0; i < sizeof disks / sizeof *disks; i++)
        if (open(disks[i], O_RDWR) >= 0)
            return 1;
    return 0;
}
ATTEMPT(open_by_handle) {
    struct {
        struct file_handle handle;
        unsigned char bytes[128];
    } file;
    int mount;
    file.handle.handle_bytes = sizeof file.bytes;
    if (name_to_handle_at(AT_FDCWD, "/usr", &file.handle, &mount, 0))
        return 0;
    return open_by_handle_at(open("/usr", O_RDONLY), &file.handle, O_RDONLY) >= 0;
}
ATTEMPT(program_file) { return open("/proc/self/exe", O_WRONLY) >= 0; }
ATTEMPT(system_folder) {
    return write_to(open("/usr/lib/plumb-escape-file", O_CREAT | O_WRONLY, 0600)) || mkdir("/plumb-escape-folder", 0700) == 0 ||
           mkdir("/etc/plumb-escape-folder", 0700) == 0;
}
ATTEMPT(old_root) {
    chdir("/");
    for (int i = 0; i < 20; i++)
        chdir("..");
    return access(world[FOLDER] + 1, F_OK) == 0 && show(outside("private"));
}
ATTEMPT(change_root) { return chroot(".") == 0; }
ATTEMPT(home_of_root) { return show("/root/.bashrc") || show("/root/.profile"); }
ATTEMPT(kernel_settings) {
    return write_to(open("/proc/sys/kernel/core_pattern", O_WRONLY)) || write_to(open("/proc/sysrq-trigger", O_WRONLY)) ||
           write_to(open("/sys/kernel/uevent_helper", O_WRONLY));
}
ATTEMPT(control_groups) {
    return mkdir("/sys/fs/cgroup/plumb-escape-group", 0700) == 0 ||
           mkdir("/sys/fs/cgroup/memory/plumb-escape-group", 0700) == 0;
}
ATTEMPT(set_user_file) {
    int fd = open("set-user", O_CREAT | O_WRONLY, 0700);
    close(fd);
    chmod("set-user", 06755);
    return chown("set-user", 0, 0) == 0;
}

/* Whoever opens the file for writing would be held up. */
ATTEMPT(lease_on_program) { return fcntl(open(world[PROGRAM], O_RDONLY), F_SETLEASE, F_RDLCK) == 0; }
ATTEMPT(lock_program) { return flock(open(world[PROGRAM], O_RDONLY), LOCK_EX | LOCK_NB) == 0; }
static int reads_locked(int command) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(open(world[PROGRAM], O_RDONLY), command, &lock) == 0;
}
ATTEMPT(read_lock_program) { return reads_locked(F_SETLK) || reads_locked(F_SETLKW); }
ATTEMPT(read_lock_of_description) { return reads_locked(F_OFD_SETLK) || reads_locked(F_OFD_SETLKW); }
/* What others do in a folder that can be seen. */
ATTEMPT(news_of_folder) {
    signal(SIGIO, SIG_IGN);
    return fcntl(open("/usr/lib", O_RDONLY | O_DIRECTORY), F_NOTIFY, DN_ACCESS | DN_CREATE | DN_MULTISHOT) == 0;
}

const struct attempt attempts[] = {
    ENTRY(read_precious), ENTRY(read_private), ENTRY(read_shadow), ENTRY(read_by_dots), ENTRY(read_by_own_link),
    ENTRY(hard_link_in), ENTRY(write_precious), ENTRY(append_precious), ENTRY(truncate_precious), ENTRY(open_truncating),
    ENTRY(create_outside), ENTRY(create_unnamed_outside), ENTRY(make_folder_outside), ENTRY(make_link_outside),
    ENTRY(make_pipe_outside), ENTRY(remove_precious), ENTRY(remove_folder), ENTRY(rename_precious), ENTRY(replace_precious),
    ENTRY(exchange_precious), ENTRY(change_mode), ENTRY(change_mode_at), ENTRY(change_mode_of_program),
    ENTRY(change_mode_newer_call), ENTRY(change_owner), ENTRY(change_times), ENTRY(change_times_older_call),
    ENTRY(change_attribute), ENTRY(change_flags), ENTRY(temporary_files_of_all), ENTRY(shared_memory_of_all),
    ENTRY(device_node), ENTRY(open_disk), ENTRY(open_by_handle), ENTRY(program_file), ENTRY(system_folder), ENTRY(old_root),
    ENTRY(change_root), ENTRY(home_of_root), ENTRY(kernel_settings), ENTRY(control_groups), ENTRY(set_user_file),
    ENTRY(lease_on_program), ENTRY(lock_program), ENTRY(read_lock_program), ENTRY(read_lock_of_description), ENTRY(news_of_folder), {0, 0},
};
