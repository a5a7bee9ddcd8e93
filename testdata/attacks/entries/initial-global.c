//@ class: entries
//@ args: prove --entry add
//@ never: proved
#include <assert.h>
int g;
int add(int x) {
    int result = x + g;
    assert(x == result);
    return result;
}
