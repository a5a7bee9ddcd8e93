#include <pthread.h>

static int next(void)
{
    static int number;
    return ++number; //~ ERROR data-race
}
static void *work(void *unused)
{
#ifdef TWIN
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    next();
    pthread_mutex_unlock(&mutex);
#else
    next();
#endif
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return next() == 77;
#else
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return next() != 3;
#endif
}
