// A shift by a negative count.
#include <stdio.h>

int main(void) {
    unsigned v = 8;
    for (int i = 2; i >= -1; i--)
        printf("%u\n", v >> i); //~ ERROR bad-shift
    return 0;
}
