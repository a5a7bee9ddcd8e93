// `bsearch` is given an array that is not in the order of the comparison (7.22.5.1p2).
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
#ifdef TWIN
    int numbers[] = {1, 2, 3, 4, 5};
#else
    int numbers[] = {5, 4, 3, 2, 1};
#endif
    int key = 3;
    printf("%d\n", bsearch(&key, numbers, 5, sizeof *numbers, compare) != NULL); //~ ERROR bad-argument
    return 0;
}
