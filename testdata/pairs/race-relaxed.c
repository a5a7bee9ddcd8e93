#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;
static void *work(void *unused)
{
    data = 42; //~ ERROR data-race
#ifdef TWIN
    atomic_store_explicit(&ready, 1, memory_order_release);
#else
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
#endif
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        sched_yield();
    int x = data; //~ ERROR data-race
    pthread_join(a, NULL);
    return x != 42;
#else
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        sched_yield();
    int x = data;
    pthread_join(a, NULL);
    return x != 42;
#endif
}
