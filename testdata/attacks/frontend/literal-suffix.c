//@ class: frontend
//@ args: prove --ints machine
//@ never: proved
#include <assert.h>
const char *tail = "bc";
int main(void) {
    const char *p = "abc";
    assert(p + 1 != tail);
    return 0;
}
