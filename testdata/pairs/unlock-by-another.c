#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
#ifdef TWIN
    pthread_mutex_lock(&mutex);
#endif
    pthread_mutex_unlock(&mutex); //~ ERROR bad-argument
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
    pthread_join(a, NULL);
    return 0;
#else
    pthread_t a;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
#endif
}
