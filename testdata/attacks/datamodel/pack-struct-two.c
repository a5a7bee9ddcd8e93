//@ class: datamodel
//@ args: prove -- -fpack-struct=2
//@ never: proved
#include <assert.h>
struct s { char c; long l; };

int main(void)
{
    assert(sizeof(struct s) == 16);
    return 0;
}
