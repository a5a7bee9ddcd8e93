//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
extern unsigned nondet(void);
int main(void) {
    const char *p = "abc";
    for (unsigned n = nondet() % 1000; n > 0; n--)
        p = "abc";
    const char *q = "abc";
    assert(p == q);
    return 0;
}
