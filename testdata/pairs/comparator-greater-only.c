// A comparison function that never says "less": what it says of two elements contradicts itself (7.22.5p4).
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
#ifdef TWIN
    return (x > y) - (x < y);
#else
    return x > y;
#endif
}

int main(void) {
    int numbers[] = {3, 1, 2, 5, 4};
    qsort(numbers, 5, sizeof *numbers, compare); //~ ERROR bad-argument
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    putchar('\n');
    return 0;
}
