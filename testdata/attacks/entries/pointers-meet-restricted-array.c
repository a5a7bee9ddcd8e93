//@ class: entries
//@ args: prove --entry f
//@ never: refuted
#include <assert.h>
typedef int *plain;
static void set(plain restrict a, int b[restrict 2]) {
    *a = 1;
    b[0] = 2;
    assert(*a == 1);
}
void f(int *a, int *b) { set(a, b); }
