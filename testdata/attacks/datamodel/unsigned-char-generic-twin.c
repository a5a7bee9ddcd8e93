//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ twin: proved
#include <assert.h>
int main(void)
{
    assert(_Generic((char)0, unsigned char: 1, signed char: 2, char: 3) == 3);
    return 0;
}
