#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char *s = malloc(8);
    s[0] = 'a';
    int n = strlen(s) > 9; //~ ERROR uninitialised-read
    free(s);
    return n;
#else
    char *s = calloc(8, 1);
    s[0] = 'a';
    int n = strlen(s) > 9;
    free(s);
    return n;
#endif
}
