//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
struct s { int a; struct t { int b; }; int c; };

int main(void)
{
    assert(sizeof(struct s) == 8);
    return 0;
}
