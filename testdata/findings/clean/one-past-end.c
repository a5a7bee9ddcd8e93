// A one-past-the-end pointer is formed, compared and subtracted, but never followed.
#include <stdio.h>

int main(void) {
    int a[5] = {1, 2, 3, 4, 5}, sum = 0;
    int *end = &a[5];
    for (int *p = a; p < end; p++)
        sum += *p;
    printf("%d %d\n", sum, (int)(end - a));
    int one = 7, *after = &one + 1;
    printf("%d %d\n", after[-1], after != &one);
    return sum;
}
