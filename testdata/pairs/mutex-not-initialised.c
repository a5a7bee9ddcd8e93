#include <pthread.h>

#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_lock(mutex); //~ ERROR uninitialised-read
    pthread_mutex_unlock(mutex);
    free(mutex);
    return argc > 9;
#else
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    free(mutex);
    return argc > 9;
#endif
}
