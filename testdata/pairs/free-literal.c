#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char *p = argc > 0 ? "abc" : strdup("abc");
    free(p); //~ ERROR invalid-free
    return 0;
#else
    char *p = argc > 0 ? strdup("abc") : "abc";
    free(p);
    return 0;
#endif
}
