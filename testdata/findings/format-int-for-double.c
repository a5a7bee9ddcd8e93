// %d is given a double.
#include <stdio.h>

int main(void) {
    double ratio = 2.5;
    printf("%g\n", ratio);
    printf("%d\n", ratio); //~ ERROR bad-format
    return 0;
}
