// sprintf writes more than the buffer holds.
#include <stdio.h>

int main(void) {
    char b[8];
    sprintf(b, "%d", 1234567);
    sprintf(b, "%d", 12345678); //~ ERROR out-of-bounds
    return b[0];
}
