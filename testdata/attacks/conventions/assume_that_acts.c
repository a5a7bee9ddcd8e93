//@ class: conventions
//@ args: prove
//@ never: proved
//@ twin: refuted
#include <assert.h>
static int asked;
void vassume(int x) {
    asked++;
    if (!x) return;
}
int main(void) {
    vassume(1);
    assert(asked == 0);
    return 0;
}
