// Freeing a pointer into the middle of a block.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *s = malloc(16);
    strcpy(s, "  text");
    while (*s == ' ')
        s++;
    free(s); //~ ERROR invalid-free
    return 0;
}
