//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

static int count(void) { static int n; return n++; }
__attribute__((constructor)) static void init(void) { count(); }
int main(void) {
    assert(count() == 0);
    return 0;
}
