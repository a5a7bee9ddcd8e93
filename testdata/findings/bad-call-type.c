// A function called through a pointer of another type.
#include <stdio.h>

static double half(double x) { return x / 2; }

int main(void) {
    int (*f)(int) = (int (*)(int))half;
    printf("%g\n", half(3));
    int r = f(3); //~ ERROR bad-call
    printf("%d\n", r);
    return 0;
}
