// Forgetting the byte for the terminating zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *text = "hello";
    char *copy = malloc(strlen(text));
    strcpy(copy, text); //~ ERROR out-of-bounds
    printf("%s\n", copy);
    free(copy);
    return 0;
}
