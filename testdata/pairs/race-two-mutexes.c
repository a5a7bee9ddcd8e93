#include <pthread.h>

static int data;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *mine)
{
    pthread_mutex_lock(mine);
    data++; //~ ERROR data-race
    pthread_mutex_unlock(mine);
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a, b;
    pthread_create(&a, NULL, work, &first);
    pthread_create(&b, NULL, work, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data == 7 || &second == NULL;
#else
    pthread_t a, b;
    pthread_create(&a, NULL, work, &first);
    pthread_create(&b, NULL, work, &first);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data == 7 || &second == NULL;
#endif
}
