#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    _Bool b;
    unsigned char two = argc + 1;
    memcpy(&b, &two, 1);
    return b ? 0 : 1; //~ ERROR trap-value
#else
    _Bool b;
    unsigned char one = argc;
    memcpy(&b, &one, 1);
    return b ? 0 : 1;
#endif
}
