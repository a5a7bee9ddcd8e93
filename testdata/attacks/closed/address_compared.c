//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdint.h>

int a, b;
int main(void) {
    assert((uintptr_t)&a < (uintptr_t)&b);
    return 0;
}
