//@ class: datamodel
//@ args: prove -- -D__CHAR_UNSIGNED__
//@ twin: proved
#include <assert.h>
int main(void)
{
    char c = -1;
    assert(c < 0);
    return 0;
}
