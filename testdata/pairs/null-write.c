#include <stddef.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = 0, *p = argc > 0 ? NULL : &x;
    *p = 1; //~ ERROR null-dereference
    return 0;
#else
    int x = 0, *p = argc > 0 ? &x : NULL;
    *p = 1;
    return 0;
#endif
}
