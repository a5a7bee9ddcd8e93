//@ class: lost-assertions
//@ args: prove
//@ never: exit 0
/* The first claim is true; the others are calls as well, though no name stands before the parentheses. */
#include <assert.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void nothing(void) {}
int main(void) {
    int x = __VERIFIER_nondet_int();
    void (*fail)(void) = x == 4 ? reach_error : nothing;
    assert(x * 2 != 7);
    if (x == 3) (*reach_error)();
    fail();
    return 0;
}
