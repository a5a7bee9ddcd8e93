#include <pthread.h>

static void *work(void *given)
{
    ++*(int *)given; //~ ERROR data-race
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = 0;
    pthread_t a;
    pthread_create(&a, NULL, work, &x);
    x++; //~ ERROR data-race
    pthread_join(a, NULL);
    return x == 7;
#else
    int x = 0;
    pthread_t a;
    pthread_create(&a, NULL, work, &x);
    pthread_join(a, NULL);
    x++;
    return x == 7;
#endif
}
