#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
#ifdef TWIN
    pthread_cond_signal(&condition);
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, work, NULL);
    while (!ready)
        pthread_cond_wait(&condition, &mutex); //~ ERROR deadlock
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    return 0;
#else
    pthread_t a;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, work, NULL);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    return 0;
#endif
}
