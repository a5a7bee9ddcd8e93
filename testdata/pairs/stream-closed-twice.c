#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    FILE *f = tmpfile();
    fclose(f);
    fclose(f); //~ ERROR use-after-free
    return 0;
#else
    FILE *f = tmpfile();
    fclose(f);
    return 0;
#endif
}
