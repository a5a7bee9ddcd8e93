//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
struct s { int a; struct t { int b; }; int c; };

int main(void)
{
    assert(sizeof(struct s) == 12);
    return 0;
}
