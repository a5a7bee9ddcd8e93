//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ never: proved
#include <assert.h>
int main(void)
{
    assert(_Generic((char)0, unsigned char: 1, signed char: 2, char: 3) == 1);
    return 0;
}
