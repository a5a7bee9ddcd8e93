//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
int a[4];
void f(int i) {
    if (i >= 0 && i < 4)
        assert(a[i] == 0);
}
