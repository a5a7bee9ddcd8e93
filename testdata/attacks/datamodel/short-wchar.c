//@ class: datamodel
//@ args: prove -- -fshort-wchar
//@ never: proved
#include <assert.h>
int main(void)
{
    assert(sizeof(L"ab") == 12);
    return 0;
}
