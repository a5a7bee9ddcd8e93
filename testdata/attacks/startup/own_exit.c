//@ class: startup
//@ args: prove
//@ never: proved
//@ never: vacuous
//@ twin: refuted
/* A static function may have the name of one that never comes back, and come back. */
#include <assert.h>
static int left;
static void exit(int status) { left = status; }
int main(void) {
    exit(3);
    assert(left == 0);
    return 0;
}
