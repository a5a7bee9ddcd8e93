// Writing at the length of a variable length array.
#include <stdio.h>

static int fill(int n) {
    int a[n];
    for (int i = n; i > 0; i--)
        a[i] = i; //~ ERROR out-of-bounds
    return a[1];
}

int main(void) {
    printf("%d\n", fill(5));
    return 0;
}
