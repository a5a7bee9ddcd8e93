// Removing the first characters of a string with strcpy onto itself.
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[16] = "##heading";
    strcpy(b, b + 2); //~ ERROR memory-overlap
    puts(b);
    return 0;
}
