// memcpy, memmove with both overlaps, memset and memcmp on several types.
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[] = "0123456789abcdef";
    memmove(b + 4, b, 8);
    puts(b);
    memmove(b, b + 2, 10);
    puts(b);
    memcpy(b + 10, b, 5);
    puts(b);
    memset(b + 3, '*', 4);
    puts(b);
    int a[6] = {1, 2, 3, 4, 5, 6}, c[6];
    memcpy(c, a, sizeof c);
    memmove(a + 1, a, 5 * sizeof *a);
    for (int i = 0; i < 6; i++)
        printf("%d %d, ", a[i], c[i]);
    printf("\n");
    memset(c, 0, sizeof c);
    memset(c + 2, 0xff, 2 * sizeof *c);
    for (int i = 0; i < 6; i++)
        printf("%d ", c[i]);
    printf("\n");
    memset(a, 1, sizeof a);
    printf("%d\n", a[0]);
    double d[2] = {1.5, 2.5}, e[2];
    void *r = memcpy(e, d, sizeof e);
    printf("%d %g\n", r == e, e[1]);
    memcpy(b, "", 0);
    memmove(b, b, 5);
    puts(b);
    return a[0] % 100;
}
