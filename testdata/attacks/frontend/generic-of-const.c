//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    const int c = 1;
    assert(_Generic(c, const int: 1, int: 2, default: 3) == 1);
    return 0;
}
