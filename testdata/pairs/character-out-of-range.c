#include <ctype.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int c = -1000 * argc;
    return isalpha(c) == 77; //~ ERROR out-of-bounds
#else
    int c = -1 * argc;
    return isalpha(c) == 77;
#endif
}
