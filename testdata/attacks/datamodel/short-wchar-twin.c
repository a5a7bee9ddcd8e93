//@ class: datamodel
//@ args: prove -- -fshort-wchar
//@ twin: proved
#include <assert.h>
int main(void)
{
    assert(sizeof(L"ab") == 6);
    return 0;
}
