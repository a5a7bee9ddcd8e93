//@ class: datamodel
//@ args: prove -- -fshort-enums
//@ twin: proved
#include <assert.h>
enum small { A, B };

int main(void)
{
    enum small e = (enum small)257;
    assert(e == 1);
    return 0;
}
