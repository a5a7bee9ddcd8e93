// strncpy leaves no room for the terminator, and printf runs past the array.
#include <stdio.h>
#include <string.h>

int main(void) {
    char name[6];
    strncpy(name, "abcdefgh", sizeof name);
    printf("%s\n", name); //~ ERROR out-of-bounds
    return 0;
}
