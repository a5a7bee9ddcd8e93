#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    const char *s = argc > 0 ? NULL : "";
    return strlen(s) > 0; //~ ERROR null-dereference
#else
    const char *s = argc > 0 ? "" : NULL;
    return strlen(s) > 0;
#endif
}
