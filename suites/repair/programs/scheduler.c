/* A round-robin scheduler with priorities. Reads the number of jobs and for each its priority (0 is the most urgent)
 * and its work; prints the order in which they end and when. */
#include <stdio.h>

#define MOST 8
#define SLICE 3

enum state { READY = 0, DONE = 2 };

static int priority[MOST], work[MOST], waited[MOST];
static int state[MOST];

/* The most urgent job that is ready; of equals the one that has waited longest. */
static int choose(int n)
{
    int best = -1;
    int i;
    for (i = 0; i < n; i++) {
        if (state[i] != READY)
            continue;
        if (best < 0 || priority[i] < priority[best]
            || (priority[i] == priority[best] && waited[i] > waited[best]))
            best = i;
    }
    return best;
}

int main(void)
{
    int n, i, job, used;
    int now = 0;
    if (scanf("%d", &n) != 1 || n < 1 || n > MOST)
        return 1;
    for (i = 0; i < n; i++)
        if (scanf("%d %d", &priority[i], &work[i]) != 2)
            return 1;
    while ((job = choose(n)) >= 0) {
        used = work[job] < SLICE ? work[job] : SLICE;
        now += used;
        work[job] -= used;
        for (i = 0; i < n; i++)
            if (i != job && state[i] == READY)
                waited[i] += used;
        waited[job] = 0;
        if (work[job] == 0) {
            state[job] = DONE;
            printf("%d@%d ", job, now);
        }
    }
    printf("end %d\n", now);
    return 0;
}
