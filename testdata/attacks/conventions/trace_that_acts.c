//@ class: conventions
//@ args: prove
//@ never: proved
//@ twin: refuted
/* Files define vtrace and vassume empty, and they are read as if they did nothing; these do something. */
#include <assert.h>
static int seen;
void vtrace1(int x) { seen += x; }
int main(void) {
    vtrace1(3);
    assert(seen == 0);
    return 0;
}
