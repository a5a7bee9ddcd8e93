//@ class: frontend
//@ args: prove
//@ with: inline-alike-unit.c
//@ twin: proved
#include <assert.h>
inline int level(int x)
{
    return x + 1;
}
int main(void) {
    assert(level(2) == 3);
    return 0;
}
