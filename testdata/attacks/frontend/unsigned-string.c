//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
static const unsigned char t[] = "\377";

int main(void)
{
    int x = t[0];
    assert(x == -1);
    return 0;
}
