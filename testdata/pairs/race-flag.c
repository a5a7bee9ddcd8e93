#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef TWIN
static atomic_int ready;
#else
static volatile int ready;
#endif
static int data;
static void *work(void *unused)
{
    data = 42;
    ready = 1; //~ ERROR data-race
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    while (!ready) //~ ERROR data-race
        sched_yield();
    int x = data;
    pthread_join(a, NULL);
    return x != 42;
#else
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    while (!ready)
        sched_yield();
    int x = data;
    pthread_join(a, NULL);
    return x != 42;
#endif
}
