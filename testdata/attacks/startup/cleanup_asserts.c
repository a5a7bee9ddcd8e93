//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

static void check(int *p) { assert(*p == 0); }
int main(void) {
    int x __attribute__((cleanup(check))) = 0;
    x = 1;
    return 0;
}
