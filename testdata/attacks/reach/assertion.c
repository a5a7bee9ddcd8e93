//@ class: reach
//@ args: reach --entry f --all-branches
//@ never: exit 0
#include <assert.h>
int f(int x) {
    if (x > 5) assert(x < 5);
    return x;
}
