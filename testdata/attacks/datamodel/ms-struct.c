//@ class: datamodel
//@ args: prove
//@ never: proved
#include <assert.h>
struct __attribute__((ms_struct)) s { char a : 4; int b : 4; };

int main(void)
{
    assert(sizeof(struct s) == 4);
    return 0;
}
