#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    char a[8] = "abcd";
    strcat(a, argc > 0 ? "efgh" : ""); //~ ERROR out-of-bounds
    return a[0] == 0;
#else
    char a[9] = "abcd";
    strcat(a, argc > 0 ? "efgh" : "");
    return a[0] == 0;
#endif
}
