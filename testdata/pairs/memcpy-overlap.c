#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[8] = "abcdefg";
    memcpy(a + argc, a, 4); //~ ERROR memory-overlap
    return a[0] == 0;
#else
    char a[8] = "abcdefg";
    memmove(a + argc, a, 4);
    return a[0] == 0;
#endif
}
