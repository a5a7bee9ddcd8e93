//@ class: order
//@ args: prove --overflow
//@ never: proved
// The division may come before the guard.
#include <assert.h>

#include <stdlib.h>
static int guard(int x) { if (x == 0) exit(0); return 1; }
int main(int argc, char **argv) {
    (void)argv;
    int d = argc - 1;
    int x = 100 / d + guard(d);
    (void)x;
    return 0;
}
