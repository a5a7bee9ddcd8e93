#include <stdint.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    int *p = (int *)(uintptr_t)(123456789L * 4 * argc);
    return *p; //~ ERROR invalid-pointer
#else
    int x = 0, *p = (int *)(uintptr_t)&x;
    return *p + argc > 9;
#endif
}
