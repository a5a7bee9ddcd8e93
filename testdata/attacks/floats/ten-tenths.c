//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    double s = 0;
    int i;
    for (i = 0; i < 10; i++)
        s += 0.1;
    assert(s == 1.0);
    return 0;
}
