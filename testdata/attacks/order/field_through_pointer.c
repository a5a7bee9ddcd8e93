//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
struct S { int n; };
static int take(struct S *s) { return s->n++; }
int main(void) {
    struct S s = { 0 };
    int x = take(&s) - take(&s);
    assert(x == -1);
    return 0;
}
