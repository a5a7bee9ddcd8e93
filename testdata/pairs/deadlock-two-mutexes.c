#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static void *work(void *unused)
{
#ifdef TWIN
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
#else
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first); //~ ERROR deadlock
#endif
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&a, NULL, work, NULL);
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second); //~ ERROR deadlock
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    pthread_join(a, NULL);
    return 0;
#else
    pthread_t a;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&a, NULL, work, NULL);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    pthread_join(a, NULL);
    return 0;
#endif
}
