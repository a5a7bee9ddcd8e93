// A negative double converted to an unsigned integer.
#include <stdio.h>

int main(void) {
    double x = -0.5;
    unsigned fine = (unsigned)x;
    x = -1.0;
    unsigned bad = (unsigned)x; //~ ERROR bad-conversion
    printf("%u %u\n", fine, bad);
    return 0;
}
