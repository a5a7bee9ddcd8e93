//@ class: datamodel
//@ args: prove -- -funsigned-char -fsigned-char
//@ twin: proved
#include <assert.h>
int main(void)
{
    char c = 200;
    assert(c == -56);
    return 0;
}
