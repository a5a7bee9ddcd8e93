//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    int a = 3;
    assert(__builtin_constant_p(a + 1) == 0);
    return 0;
}
