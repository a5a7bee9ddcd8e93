// &a[n] is an address computation, and sizeof does not evaluate its operand.
#include <stdio.h>

int main(void) {
    int a[3] = {4, 5, 6};
    int *stop = &a[3], *null = NULL;
    printf("%zu %zu\n", sizeof a[99], sizeof *null);
    int n = 0;
    for (int *p = stop; p != a;)
        n = n * 10 + *--p;
    printf("%d\n", n);
    printf("%zu\n", sizeof(n / 0));
    return n % 100;
}
