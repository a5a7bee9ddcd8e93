#include <stddef.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char c = 0, *p = argc > 0 ? NULL : &c;
    p = p + argc; //~ ERROR invalid-pointer
    return p == &c;
#else
    char c = 0, *p = argc > 0 ? &c : NULL;
    p = p + argc;
    return p == &c;
#endif
}
