//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ never: proved
#include <assert.h>
int main(void)
{
    char c = -1;
    assert(c < 0);
    return 0;
}
