// Keeping a pointer into a block that realloc may have moved.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *v = malloc(2 * sizeof *v);
    int *first = v;
    v[0] = 1;
    v[1] = 2;
    v = realloc(v, 100000 * sizeof *v);
    printf("%d\n", v[0]);
    printf("%d\n", *first); //~ ERROR use-after-free
    free(v);
    return 0;
}
