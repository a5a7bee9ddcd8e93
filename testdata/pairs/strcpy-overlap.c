#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[8] = "abc";
    strcpy(a + argc, a); //~ ERROR memory-overlap
    return a[0] == 0;
#else
    char a[8] = "abc";
    memmove(a + argc, a, 4);
    return a[0] == 0;
#endif
}
