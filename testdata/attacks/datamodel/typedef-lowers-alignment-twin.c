//@ class: datamodel
//@ args: prove
//@ twin: proved
#include <assert.h>
typedef int low __attribute__((aligned(1)));
struct s { char c; low i; };

int main(void)
{
    assert(sizeof(struct s) == 5);
    return 0;
}
