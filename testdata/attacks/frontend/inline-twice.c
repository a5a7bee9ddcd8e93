//@ class: frontend
//@ args: prove
//@ with: inline-twice-unit.c
//@ never: proved
//@ never: refuted
/* C leaves open which definition a call means: -O0 takes the other unit's, -O2 this one. */
#include <assert.h>
inline int level(void) { return 1; }
int main(void) {
    assert(level() == 1);
    return 0;
}
