#include <math.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    double x = NAN * argc;
    return (int)x == 3; //~ ERROR bad-conversion
#else
    double x = 0.0 * argc;
    return (int)x == 3;
#endif
}
