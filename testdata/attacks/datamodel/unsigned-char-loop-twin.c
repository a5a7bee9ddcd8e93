//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ twin: proved
#include <assert.h>
int main(void)
{
    char c = 0;
    for (int i = 0; i < 200; i++)
        c++;
    assert(c == 200);
    return 0;
}
