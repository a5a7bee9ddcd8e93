// Writing through an alias after free.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof *a), *alias = a;
    *a = 3;
    printf("%d\n", *alias);
    free(a);
    *alias = 4; //~ ERROR use-after-free
    return 0;
}
