//@ class: frontend
//@ args: prove
//@ with: inline-member-unit.c
//@ twin: proved
#include <assert.h>
struct pair { int a, b; };
typedef struct pair pair;
enum { STEP = 2 };
inline int next(const pair *p) { return p->b + STEP; }
int other(void);
int main(void) {
    assert(other() == 5);
    return 0;
}
