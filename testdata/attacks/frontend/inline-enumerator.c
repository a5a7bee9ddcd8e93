//@ class: frontend
//@ args: prove
//@ with: inline-enumerator-unit.c
//@ never: proved
#include <assert.h>
enum { LIMIT = 4 };
inline int limit(void) { return LIMIT; }
int main(void) {
    assert(limit() == 4);
    return 0;
}
