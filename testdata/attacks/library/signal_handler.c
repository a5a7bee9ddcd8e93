//@ class: library
//@ args: prove
//@ never: proved
#include <assert.h>
#include <signal.h>
static int seen;
static void note(int number) { seen = number; }
int main(void) {
    signal(SIGINT, note);
    assert(seen == 0);
    return 0;
}
