//@ class: datamodel
//@ args: prove -- -fshort-wchar
//@ never: proved
#include <assert.h>
int main(void)
{
    assert(L'\xffff' == -1);
    return 0;
}
