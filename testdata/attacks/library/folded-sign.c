//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <strings.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
    char a[2] = {__VERIFIER_nondet_char(), 0};
    if (strcasecmp(a, "k") == 0)
        assert(a[0] == 'k');
    return 0;
}
