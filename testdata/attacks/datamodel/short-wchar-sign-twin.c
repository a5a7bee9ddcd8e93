//@ class: datamodel
//@ args: prove -- -fshort-wchar
//@ twin: proved
#include <assert.h>
int main(void)
{
    assert(L'\xffff' == 65535);
    return 0;
}
