// Designated array initialisers: gaps, overrides, ranges, implied size, and continuation after a designator.
#include <stdio.h>

static int gaps[] = {[3] = 30, [1] = 10, 11, [6] = 60};
static int overrides[4] = {1, 2, 3, 4, [1] = 20, 30};
static int ranges[10] = {[2 ... 4] = 7, [8] = 8};
static const char *names[] = {[2] = "two", [0] = "zero"};
static int matrix[3][3] = {[1] = {4, 5, 6}, [0][2] = 9, [2] = {[1] = 8}};
enum { RED, GREEN, BLUE };
static const unsigned colors[] = {[BLUE] = 0xff, [RED] = 0xff0000, [GREEN] = 0xff00};

int main(void) {
    for (unsigned i = 0; i < sizeof gaps / sizeof *gaps; i++)
        printf("%d ", gaps[i]);
    printf("\n");
    for (int i = 0; i < 4; i++)
        printf("%d ", overrides[i]);
    printf("\n");
    for (int i = 0; i < 10; i++)
        printf("%d ", ranges[i]);
    printf("\n%zu %s %d %s\n", sizeof names / sizeof *names, names[0], names[1] == NULL, names[2]);
    for (int i = 0; i < 3; i++)
        printf("%d %d %d\n", matrix[i][0], matrix[i][1], matrix[i][2]);
    printf("%x %x %x\n", colors[0], colors[1], colors[2]);
    int n = 4;
    int local[5] = {[1] = n, [3] = n * n, n + 1};
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += local[i];
    char letters[26] = {['c' - 'a'] = 'C', ['z' - 'a'] = 'Z'};
    printf("%d %c%c %d\n", sum, letters[2], letters[25], letters[0]);
    return sum;
}
