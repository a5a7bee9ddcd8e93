//@ class: effective-types
//@ args: prove
//@ twin: proved
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct head { int kind; };
struct whole { struct head head; int value; };
union bits { float f; unsigned u; };
static unsigned bits_of(float f) {
    union bits b;
    b.f = f;
    return b.u;
}
static unsigned copied(float f) {
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}
int main(void) {
    struct whole w = {{1}, 2};
    struct head *h = (struct head *)&w;
    h->kind = 5;
    int *first = (int *)&w;
    assert(w.head.kind == 5 && *first == 5);
    unsigned u = 7;
    *(int *)&u = -1;
    assert(u == 0xffffffff);
    unsigned char *byte = (unsigned char *)&u;
    byte[0] = 0;
    assert(u == 0xffffff00);
    assert(bits_of(1) == 0x3f800000 && copied(1) == 0x3f800000);
    void *p = malloc(16);
    if (!p) return 0;
    *(int *)p = 1;
    *(double *)p = 2;
    assert(*(double *)p == 2);
    free(p);
    return 0;
}
