#include <pthread.h>
#include <stdlib.h>

struct box { int a, b; };
static void *work(void *given)
{
    struct box *box = given;
    box->a = 1; //~ ERROR data-race
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct box *box = calloc(1, sizeof *box);
    pthread_t a;
    pthread_create(&a, NULL, work, box);
    box->a = 2; //~ ERROR data-race
    pthread_join(a, NULL);
    free(box);
    return 0;
#else
    struct box *box = calloc(1, sizeof *box);
    pthread_t a;
    pthread_create(&a, NULL, work, box);
    box->b = 2;
    pthread_join(a, NULL);
    free(box);
    return 0;
#endif
}
