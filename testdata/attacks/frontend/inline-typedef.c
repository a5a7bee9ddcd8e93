//@ class: frontend
//@ args: prove
//@ with: inline-typedef-unit.c
//@ never: proved
/* The two bodies read alike, and C leaves open which of them is called. */
#include <assert.h>
typedef int T;
inline int size(void) { return sizeof(T); }
int other(void);
int main(void) {
    assert(size() == other() && size() == 4);
    return 0;
}
