// Ordering pointers into different blocks.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(4), *b = malloc(4);
    int before = a < b; //~ ERROR invalid-pointer
    printf("%d\n", before == 0 || before == 1);
    free(a);
    free(b);
    return 0;
}
