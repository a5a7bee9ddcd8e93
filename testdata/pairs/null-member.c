#include <stddef.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct s { int a, b; } x = {0, 0}, *p = argc > 0 ? NULL : &x;
    return p->b; //~ ERROR null-dereference
#else
    struct s { int a, b; } x = {0, 0}, *p = argc > 0 ? &x : NULL;
    return p->b;
#endif
}
