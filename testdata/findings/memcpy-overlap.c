// memcpy between overlapping parts of one array.
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[16] = "0123456789";
    memcpy(b + 8, b, 4);
    puts(b);
    memcpy(b + 2, b, 8); //~ ERROR memory-overlap
    puts(b);
    return 0;
}
