//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ twin: proved
#include <assert.h>
int main(void)
{
    char c = -1;
    assert(c == 255);
    return 0;
}
