// Freeing NULL, realloc of NULL, and freeing once after clearing the pointer.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = NULL;
    free(p);
    p = realloc(p, sizeof *p);
    *p = 9;
    int v = *p;
    free(p);
    p = NULL;
    free(p);
    printf("%d\n", v);
    return v;
}
