//@ class: datamodel
//@ args: prove -- -fpack-struct=2
//@ twin: proved
#include <assert.h>
struct s { char c; long l; };

int main(void)
{
    assert(sizeof(struct s) == 10);
    return 0;
}
