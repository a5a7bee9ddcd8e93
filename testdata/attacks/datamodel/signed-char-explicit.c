//@ class: datamodel
//@ args: prove -- -funsigned-char -fsigned-char
//@ never: proved
#include <assert.h>
int main(void)
{
    char c = 200;
    assert(c == 200);
    return 0;
}
