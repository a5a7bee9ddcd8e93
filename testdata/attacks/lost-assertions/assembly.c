//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
int main(void) {
    int y;
    __asm__("movl $1, %0" : "=r"(y));
    assert(y == 2);
    return 0;
}
