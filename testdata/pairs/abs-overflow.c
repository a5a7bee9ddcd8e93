#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int x = -2147483647 - argc;
    return abs(x) == 1; //~ ERROR signed-overflow
#else
    int x = -2147483647;
    return abs(x) == 1;
#endif
}
