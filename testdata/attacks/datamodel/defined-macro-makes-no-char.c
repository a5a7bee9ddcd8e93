//@ class: datamodel
//@ args: prove -- -D__CHAR_UNSIGNED__
//@ never: proved
#include <assert.h>
int main(void)
{
    char c = -1;
    assert(c == 255);
    return 0;
}
