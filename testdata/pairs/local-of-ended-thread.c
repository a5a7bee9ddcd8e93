#include <pthread.h>

static int *shared;
static void *work(void *unused)
{
#ifdef TWIN
    static int x = 3;
#else
    int x = 3;
#endif
    int *volatile p = &x;
    shared = p;
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return *shared == 77; //~ ERROR use-after-scope
#else
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return *shared == 77;
#endif
}
