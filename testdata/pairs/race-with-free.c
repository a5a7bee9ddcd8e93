#include <pthread.h>
#include <stdlib.h>

static void *work(void *given)
{
    *(int *)given = 1; //~ ERROR data-race
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = calloc(1, sizeof *p);
    pthread_t a;
    pthread_create(&a, NULL, work, p);
    free(p); //~ ERROR data-race
    pthread_join(a, NULL);
    return 0;
#else
    int *p = calloc(1, sizeof *p);
    pthread_t a;
    pthread_create(&a, NULL, work, p);
    pthread_join(a, NULL);
    free(p);
    return 0;
#endif
}
