#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_mutex_unlock(&mutex); //~ ERROR bad-argument
    return argc > 9;
#else
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return argc > 9;
#endif
}
