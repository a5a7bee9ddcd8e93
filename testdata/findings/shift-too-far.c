// A shift by the width of the type.
#include <stdio.h>

static unsigned mask(int bits) {
    return (1u << bits) - 1; //~ ERROR bad-shift
}

int main(void) {
    printf("%u\n", mask(31));
    printf("%u\n", mask(32));
    return 0;
}
