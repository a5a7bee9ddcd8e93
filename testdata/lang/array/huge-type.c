// The size of types that no object can have.
#include <stdio.h>
#include <assert.h>
int main(void) {
    printf("%zu\n", sizeof(short[(1L << 62) - 256]));
    printf("%zu\n", sizeof(char[(1UL << 63) - 1]));
    return 0;
}
