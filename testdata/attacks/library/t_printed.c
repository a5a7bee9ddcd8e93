//@ class: library
//@ args: prove
//@ twin: proved
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char text[40];
    int x = __VERIFIER_nondet_int();
    int length = sprintf(text, "%d", x);
    assert(length >= 1 && length <= 11);
    assert((text[0] == '-') == (x < 0));
    assert(text[length] == 0);
    if (x >= 0 && x < 1000) {
        length = snprintf(text, sizeof text, "[%5d|%-5x|%05d|%+d]", x, x, -x, x);
        assert(length >= 21);
        assert(text[5] == '0' + x % 10);
        assert(text[19] == '+');
        assert(text[20] != '0' || x == 0);
    }
    return 0;
}
