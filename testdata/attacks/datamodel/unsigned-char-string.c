//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ never: proved
#include <assert.h>
static const char text[] = "\200";

int main(void)
{
    assert(text[0] < 0);
    return 0;
}
