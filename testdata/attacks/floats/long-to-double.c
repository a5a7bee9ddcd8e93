//@ class: floats
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void) {
    long n = 9007199254740993L;
    double d = n;
    assert((long)d == n);
    return 0;
}
