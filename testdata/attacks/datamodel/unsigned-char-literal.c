//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ never: proved
#include <assert.h>
int main(void)
{
    assert('\377' == -1);
    return 0;
}
