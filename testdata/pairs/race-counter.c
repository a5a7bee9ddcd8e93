#include <pthread.h>

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 100; i++) {
#ifdef TWIN
        pthread_mutex_lock(&mutex);
#endif
        counter++; //~ ERROR data-race
#ifdef TWIN
        pthread_mutex_unlock(&mutex);
#endif
    }
    (void)mutex;
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
    return counter == 7;
#else
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 200;
#endif
}
