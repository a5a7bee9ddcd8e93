//@ class: datamodel
//@ args: prove -- -fshort-enums
//@ never: proved
#include <assert.h>
enum small { A, B };

int main(void)
{
    enum small e = (enum small)257;
    assert(e == 257);
    return 0;
}
