#include <string.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifndef TWIN
    struct big { char a[8]; };
    char room[16] = {0};
    struct big *p = (struct big *)room, *q = (struct big *)(room + argc);
    *q = *p; //~ ERROR memory-overlap
    return room[0];
#else
    struct big { char a[8]; };
    char room[16] = {0};
    struct big *p = (struct big *)room, *q = (struct big *)(room + 8 * argc);
    *q = *p;
    return room[0];
#endif
}
