//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <string.h>
int main(void) {
    long double x = 1.0L;
    unsigned char bytes[sizeof x];
    memcpy(bytes, &x, sizeof x);
    assert(bytes[15] == 0);
    return 0;
}
