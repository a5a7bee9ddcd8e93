//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ twin: proved
#include <assert.h>
int main(void)
{
    char c = 0x80;
    assert((c >> 7) == 1);
    return 0;
}
