//@ class: obligations
//@ args: prove
//@ never: proved
#include <assert.h>
int second();
int main(void) {
    assert(second(1) == second(1));
    return 0;
}
int second(a, b) int a, b; { return b; }
