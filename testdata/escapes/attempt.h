/* What attempts share: each tries one way out of the sandbox and says whether it believes to have found it. Whether
   anything happened outside is looked at from outside, after every attempt (crates/sandbox/tests/escapes.rs).

   An attempt is a function with a name; `main` runs the one that is asked for. The world outside is described by the
   arguments, in the order of `enum world`. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <netinet/in.h>
#include <dirent.h>
#include <time.h>
#include <unistd.h>

enum world { PROGRAM, NAME, FOLDER, VICTIM, PARENT, LEAKED, PIPE, PORT, ABSTRACT, SHARED, WORLD_COUNT };

struct attempt {
    const char *name;
    int (*run)(void);
};

extern const struct attempt attempts[];
static char **world;

static long number(enum world which) {
    return atol(world[which]);
}

/* A path in the folder outside. */
static const char *outside(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", world[FOLDER], name);
    return path;
}

/* Copies a file to standard output: what must stay secret is looked for there. */
static int show(const char *path) {
    char buffer[65536];
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return 0;
    long count = read(fd, buffer, sizeof buffer);
    if (count > 0)
        fwrite(buffer, 1, (size_t)count, stdout);
    close(fd);
    return count > 0;
}

static int write_to(int fd) {
    return fd >= 0 && write(fd, "spoiled", 7) == 7;
}

#define ATTEMPT(name) static int name(void)
#define ENTRY(name) { #name, name }

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (const struct attempt *a = attempts; a->name; a++)
            puts(a->name);
        return 0;
    }
    if (argc != WORLD_COUNT)
        return 2;
    world = argv;
    for (const struct attempt *a = attempts; a->name; a++)
        if (!strcmp(a->name, argv[NAME])) {
            errno = 0;
            int through = a->run();
            printf("%s\n", through ? "THROUGH" : "refused");
            return 0;
        }
    return 3;
}
