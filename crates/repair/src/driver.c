/* Runs a whole file of tests in one process: each test in a child of its own, so that the program starts afresh and a
 * crash or a hang is an answer. Linked behind the user's program with --wrap=main, so that `main` keeps its meaning.
 *
 * Reads plumb-tests: the time for a test in milliseconds; then for each test the number of arguments and each of them,
 * standard input, the number of parameters and each of them in eight bytes. Writes for each test how it ended (0 exit,
 * 1 signal, 2 time), the status, and the output. Numbers are 32 bits, texts have their length before them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef PLUMB_CALL
extern int plumb_repair_target(int, char **, char **);
#else
extern int __real_main(int, char **, char **);
#define plumb_repair_target __real_main
#endif

long long plumb_repair_ints[256];
double plumb_repair_reals[256];

static const unsigned char *at, *end;

static void quit(const char *why)
{
    fprintf(stderr, "%s\n", why);
    _exit(99);
}

static unsigned number(void)
{
    unsigned value;
    if (end - at < 4)
        quit("the file of tests is cut off");
    memcpy(&value, at, 4);
    at += 4;
    return value;
}

static const unsigned char *bytes(unsigned length)
{
    const unsigned char *here = at;
    if ((unsigned long)(end - at) < length)
        quit("the file of tests is cut off");
    at += length;
    return here;
}

static void put(const void *data, size_t length)
{
    if (fwrite(data, 1, length, stdout) != length)
        quit("the answers cannot be written");
}

/* What a function returned goes to the output of its child. */
void plumb_repair_returned(long long value, double real);
void plumb_repair_returned(long long value, double real)
{
    char text[16];
    memcpy(text, &value, 8);
    memcpy(text + 8, &real, 8);
    fflush(stdout);
    if (write(3, text, sizeof text) != sizeof text)
        _exit(98);
    _exit(0);
}

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int input_of(const unsigned char *text, unsigned length)
{
    int ends[2];
    if (length < 60000) {
        if (pipe(ends) != 0 || write(ends[1], text, length) != (ssize_t)length)
            quit("no pipe for the input");
        close(ends[1]);
        return ends[0];
    }
    int file = open("plumb-input", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, text, length) != (ssize_t)length || lseek(file, 0, SEEK_SET) != 0)
        quit("no file for the input");
    return file;
}

#define MOST_OUTPUT (1u << 20)

int __wrap_main(int count, char **values, char **environment);
int __wrap_main(int count, char **values, char **environment)
{
    static char output[MOST_OUTPUT];
    struct stat status;
    int file = open("plumb-tests", O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0)
        quit("there is no file of tests");
    unsigned char *all = malloc((size_t)status.st_size + 1);
    size_t have = 0;
    while (all && have < (size_t)status.st_size) {
        ssize_t got = read(file, all + have, (size_t)status.st_size - have);
        if (got <= 0)
            quit("the file of tests cannot be read");
        have += (size_t)got;
    }
    close(file);
    at = all;
    end = all + have;
    long limit = number();
    while (at < end) {
        unsigned words = number();
        char **arguments = calloc(words + 2, sizeof *arguments);
        arguments[0] = values[0];
        for (unsigned i = 0; i < words; i++) {
            unsigned length = number();
            arguments[i + 1] = strndup((const char *)bytes(length), length);
        }
        unsigned length = number();
        int input = input_of(bytes(length), length);
        unsigned parameters = number();
        for (unsigned i = 0; i < parameters && i < 256; i++) {
            const unsigned char *value = bytes(8);
            memcpy(&plumb_repair_ints[i], value, 8);
            memcpy(&plumb_repair_reals[i], value, 8);
        }
        int ends[2];
        if (pipe(ends) != 0)
            quit("no pipe for the output");
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            quit("no process for a test");
        if (child == 0) {
            dup2(input, 0);
#ifdef PLUMB_CALL
            int nowhere = open("plumb-output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
            dup2(nowhere, 1);
            dup2(ends[1], 3);
            for (int i = 4; i < 12; i++)
                close(i);
#else
            dup2(ends[1], 1);
            for (int i = 3; i < 12; i++)
                close(i);
#endif
            exit(plumb_repair_target((int)words + 1, arguments, environment));
        }
        close(ends[1]);
        close(input);
        size_t got = 0;
        int over = 0, ended = 0;
        long until = now() + limit;
        while (!over) {
            long left = until - now();
            struct pollfd reader = {ends[0], POLLIN, 0};
            if (left <= 0 || poll(&reader, 1, (int)left) == 0) {
                over = 1;
                break;
            }
            ssize_t some = read(ends[0], output + got, MOST_OUTPUT - got);
            if (some < 0 && errno == EINTR)
                continue;
            if (some <= 0)
                break;
            got += (size_t)some;
            if (got == MOST_OUTPUT)
                over = 1;
        }
        int state = 0;
        while (!over && !ended) {
            ended = waitpid(child, &state, WNOHANG) == child;
            if (!ended && now() >= until)
                over = 1;
            else if (!ended)
                usleep(20);
        }
        if (!ended) {
            kill(child, SIGKILL);
            waitpid(child, &state, 0);
        }
        close(ends[0]);
        unsigned how = over ? 2 : WIFEXITED(state) ? 0 : 1;
        unsigned code = how == 0 ? (unsigned)WEXITSTATUS(state) : how == 1 ? (unsigned)WTERMSIG(state) : 0;
        unsigned size = (unsigned)got;
        put(&how, 4);
        put(&code, 4);
        put(&size, 4);
        put(output, got);
        for (unsigned i = 0; i < words; i++)
            free(arguments[i + 1]);
        free(arguments);
    }
    (void)count;
    fflush(stdout);
    _exit(0);
}
