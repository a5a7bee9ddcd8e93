#include <pthread.h>

static int data;
static void *work(void *unused)
{
    data = 42; //~ ERROR data-race
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    int x = data; //~ ERROR data-race
    pthread_join(a, NULL);
    return x == 7;
#else
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    int x = data;
    return x == 7;
#endif
}
