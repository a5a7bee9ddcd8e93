//@ class: entries
//@ args: prove --entry f
//@ never: refuted
#include <assert.h>
// A call whose pointers meet is undefined.
void f(int *restrict a, int *restrict b) {
    *a = 1;
    *b = 2;
    assert(*a == 1);
}
