//@ class: frontend
//@ args: prove
//@ twin: proved assert
#include <assert.h>
static const char *text(void) { return "abc"; }
int main(void) {
    const char *p = text(), *q = text();
    assert(p == q);
    assert(__func__ == __func__);
    assert(p[0] == "abc"[0]);
    return 0;
}
