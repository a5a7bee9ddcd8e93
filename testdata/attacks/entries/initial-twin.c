//@ class: entries
//@ args: prove --entry f --globals initial
//@ twin: proved
#include <assert.h>
int g;
int f(int x) {
    int result = x + g;
    assert(x == result);
    return result;
}
