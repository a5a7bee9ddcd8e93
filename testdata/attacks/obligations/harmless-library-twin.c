//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved
#include <stdio.h>
#include <stdlib.h>
int f(int x) {
    if (x < -9 || x > 9)
        return 0;
    putchar(65);
    puts("digits");
    printf("%d\n", abs(x) + 1);
    return 0;
}
int main(void) { return f(3); }
