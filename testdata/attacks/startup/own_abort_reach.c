//@ class: startup
//@ args: reach --target assert
//@ never: unreachable
//@ twin: reached
#include <assert.h>
static int calls;
static void abort(void) { calls++; }
int main(void) {
    abort();
    assert(calls == 0);
    return 0;
}
