//@ class: library
//@ args: prove
//@ never: proved
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static char text[8];
int main(void) {
    FILE *f = fmemopen(text, sizeof text, "w");
    if (!f) return 0;
    setbuf(f, NULL);
    while (__VERIFIER_nondet_int()) {
        text[0] = 0;
        rewind(f);
        fputc('x', f);
        assert(text[0] == 0);
    }
    return 0;
}
