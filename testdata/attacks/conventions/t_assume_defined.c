//@ class: conventions
//@ args: prove
//@ twin: proved
#include <assert.h>
extern int nondet_int(void);
void vassume(int x) {}
void vtrace1(int x) {}
int main(void) {
    int x = nondet_int();
    vassume(x > 3);
    vtrace1(x);
    assert(x != 2);
    return 0;
}
