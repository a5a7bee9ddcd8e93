//@ class: datamodel
//@ args: prove -- -fpack-struct
//@ twin: proved
#include <assert.h>
struct s { char c; long l; };

int main(void)
{
    assert(sizeof(struct s) == 9);
    return 0;
}
