//@ class: entries
//@ args: prove --entry f
//@ never: proved
#include <assert.h>
union u { int i; unsigned char c[4]; };
void f(union u v) {
    if (v.i >= 0 && v.i < 256)
        assert(v.c[0] == 0);
}
