//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
struct s { unsigned long a : 32; };
int main(void) {
    struct s s = { 0xffffffffUL };
    assert(s.a + 1 == 0x100000000UL);
    return 0;
}
