// Reading one element past a block from malloc.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof *p);
    for (int i = 0; i < 4; i++)
        p[i] = i;
    printf("%d\n", p[3]);
    int past = p[4]; //~ ERROR out-of-bounds
    printf("%d\n", past);
    free(p);
    return 0;
}
