// Changing a string literal in place.
#include <ctype.h>
#include <stdio.h>

static void capitalise(char *s) {
    *s = (char)toupper((unsigned char)*s); //~ ERROR write-to-constant
}

int main(void) {
    char own[] = "own";
    capitalise(own);
    puts(own);
    capitalise("literal");
    return 0;
}
