//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
//@ twin: unknown assert
/* The only claim is in a handler, which nothing but `abort` calls. */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
static int state;
static void on_abort(int number) {
    assert(state == 0 && number > 0);
    _Exit(0);
}
int main(void) {
    signal(SIGABRT, on_abort);
    state = 1;
    abort();
}
