#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct { int a, b; } s, t;
    s.a = argc;
    memcpy(&t, &s, sizeof t);
    return t.b > 3; //~ ERROR uninitialised-read
#else
    struct { int a, b; } s, t;
    s.a = argc;
    memcpy(&t, &s, sizeof t);
    return t.a > 3;
#endif
}
