// memmove may overlap; memcpy of touching ranges does not overlap.
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[16] = "abcdefghij";
    memmove(b + 2, b, 8);
    puts(b);
    memmove(b, b + 1, 9);
    puts(b);
    memcpy(b + 5, b, 5);
    puts(b);
    return b[5];
}
