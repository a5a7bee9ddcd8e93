//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ twin: proved
#include <assert.h>
int main(void)
{
    assert('\377' == 255);
    return 0;
}
