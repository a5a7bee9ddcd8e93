//@ class: datamodel
//@ args: prove -- -fshort-enums
//@ twin: proved
#include <assert.h>
enum small { A, B };

int main(void)
{
    assert(sizeof(enum small) == 1);
    return 0;
}
