#include <stddef.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = 0, *p = argc > 0 ? NULL : &x;
    return *p; //~ ERROR null-dereference
#else
    int x = 0, *p = argc > 0 ? &x : NULL;
    return *p;
#endif
}
