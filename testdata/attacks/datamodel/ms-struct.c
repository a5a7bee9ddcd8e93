//@ class: datamodel
//@ args: prove
//@ never: proved
#include <assert.h>
struct s { char a : 4; int b : 4; } __attribute__((ms_struct)) object;

int main(void)
{
    assert(sizeof(struct s) == 4);
    return 0;
}
