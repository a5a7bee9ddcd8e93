//@ class: entries
//@ args: prove
//@ never: proved
#include <assert.h>
volatile int v;
int main(void) {
    v = 3;
    assert(v == 3);
    return 0;
}
