//@ class: datamodel
//@ args: prove -- -fshort-enums
//@ never: proved
#include <assert.h>
enum small { A, B };

int main(void)
{
    assert(sizeof(enum small) == 4);
    return 0;
}
