//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ never: proved
#include <assert.h>
int main(void)
{
    char c = 0;
    for (int i = 0; i < 200; i++)
        c++;
    assert(c == -56);
    return 0;
}
