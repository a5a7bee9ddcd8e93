// Two unsigned shorts multiply as signed ints.
#include <stdio.h>

int main(void) {
    unsigned short a = 65535, b = 65535;
    unsigned product = a * b; //~ ERROR signed-overflow
    printf("%u\n", product);
    return 0;
}
