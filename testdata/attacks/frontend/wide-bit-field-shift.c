//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
struct s { unsigned long a : 40; };
int main(void) {
    struct s s = { 1UL << 39 };
    assert(s.a << 1 == 1UL << 40);
    return 0;
}
