//@ class: frontend
//@ args: prove
//@ twin: proved assert
#include <assert.h>
int main(void) {
    const int c = 1;
    const int *p = &c;
    assert(_Generic(c, const int: 1, int: 2, default: 3) == 2);
    assert(_Generic(*p, const int: 1, default: 3) == 3);
    assert(_Generic(p, int *: 1, const int *: 2) == 2);
    return 0;
}
