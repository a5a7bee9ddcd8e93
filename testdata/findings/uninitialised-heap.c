// Memory from malloc is not zero.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *count = malloc(4 * sizeof *count);
    for (int i = 0; i < 8; i++)
        count[i % 4] += i; //~ ERROR uninitialised-read
    printf("%d\n", count[0]);
    free(count);
    return 0;
}
