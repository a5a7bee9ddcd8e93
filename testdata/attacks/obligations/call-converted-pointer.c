//@ class: obligations
//@ args: prove
//@ never: proved
#include <assert.h>
int is_one(float x) { return x == 1.0f; }
int main(void) {
    int (*p)() = (int (*)())is_one;
    assert(p(1.0f));
    return 0;
}
