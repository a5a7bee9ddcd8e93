//@ class: datamodel
//@ args: prove -- -fshort-enums
//@ twin: proved
#include <assert.h>
enum small { A, B };
struct s { enum small e; char c; };

int main(void)
{
    assert(__builtin_offsetof(struct s, c) == 1);
    return 0;
}
