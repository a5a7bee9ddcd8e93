#include <pthread.h>
#include <string.h>

static char text[16];
static void *work(void *unused)
{
    strcpy(text, "from a thread"); //~ ERROR data-race
    return unused;
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    int n = strlen(text); //~ ERROR data-race
    pthread_join(a, NULL);
    return n == 77;
#else
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    int n = strlen(text);
    return n == 77;
#endif
}
