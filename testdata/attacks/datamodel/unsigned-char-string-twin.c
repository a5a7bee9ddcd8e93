//@ class: datamodel
//@ args: prove -- -funsigned-char
//@ twin: proved
#include <assert.h>
static const char text[] = "\200";

int main(void)
{
    assert(text[0] == 128);
    return 0;
}
