// A comparison function that calls one of two equal elements the greater, whichever comes first (7.22.5p4).
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
#ifdef TWIN
    if (x == y)
        return 0;
#endif
    return x < y ? -1 : 1;
}

int main(void) {
    int numbers[] = {3, 1, 3, 5, 4};
    qsort(numbers, 5, sizeof *numbers, compare); //~ ERROR bad-argument
    printf("%d\n", numbers[0]);
    return 0;
}
