//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    const char *p = "abc", *q = "abc";
    assert(p != q);
    return 0;
}
