// Passing freed memory to a library function.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *s = malloc(8);
    strcpy(s, "gone");
    puts(s);
    free(s);
    puts(s); //~ ERROR use-after-free
    return 0;
}
