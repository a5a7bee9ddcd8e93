//@ class: obligations
//@ args: prove --ints machine
//@ twin: proved assert
/* Arguments are promoted, and narrowed again. */
#include <assert.h>
int old();
int main(int argc, char **argv) {
    assert(old(65537 + 0 * argc, 1.5f, "x") == 1 + 1 + 'x');
    return 0;
}
int old(s, f, t) short s; float f; char *t; { return s + (int)f + t[0]; }
