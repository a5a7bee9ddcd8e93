// An array of characters is used as storage for an int (6.5p7): characters may stand for any object, not the other way.
#include <stdio.h>

#ifdef TWIN
static union {
    char bytes[16];
    int number;
} store;
#else
static _Alignas(int) char store[16];
#endif

int main(void) {
#ifdef TWIN
    int *number = &store.number;
#else
    int *number = (int *)store;
#endif
    *number = 7; //~ ERROR strict-aliasing
    printf("%d\n", *number);
    return 0;
}
