//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
struct s { unsigned long a : 33; };
int main(void) {
    struct s s = { 0x1ffffffffUL };
    assert(s.a + s.a == 0x3fffffffeUL);
    return 0;
}
