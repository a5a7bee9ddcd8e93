// A function of two parameters called with one through an old-style declaration.
#include <stdio.h>

static int add(int a, int b) { return a + b; }

int main(void) {
    int (*f)() = add;
    printf("%d\n", f(1, 2));
    int r = f(1); //~ ERROR bad-call
    printf("%d\n", r);
    return 0;
}
