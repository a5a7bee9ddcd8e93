#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    char *a = calloc(4, 4);
    if (!a)
        return 0;
#ifndef TWIN
    int *p = (int *)(a + argc);
    int value = *p; //~ ERROR misaligned-access
#else
    int *p = (int *)(a + 4 * argc);
    int value = *p;
#endif
    free(a);
    return value;
}
