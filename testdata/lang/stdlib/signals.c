// signal.h: handlers that the program's own raise calls, ignored signals, sigaction.
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen = seen * 100 + number; }

int main(void) {
    signal(SIGUSR1, note);
    raise(SIGUSR1);
    printf("%d\n", seen == SIGUSR1);
    printf("%d\n", signal(SIGUSR1, SIG_IGN) == note);
    raise(SIGUSR1);
    struct sigaction act, old;
    memset(&act, 0, sizeof act);
    act.sa_handler = note;
    sigemptyset(&act.sa_mask);
    sigaction(SIGUSR2, &act, NULL);
    sigaction(SIGUSR2, NULL, &old);
    raise(SIGUSR2);
    printf("%d %d\n", (int)seen == SIGUSR1 * 100 + SIGUSR2, old.sa_handler == note);
    raise(SIGCHLD);
    return 0;
}
