//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int *cell(void) {
    static int n = 3;
    return &n;
}
void f(void) { assert(*cell() == 3); }
