//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
static const unsigned char t[] = "\377";

int main(void)
{
    int x = t[0];
    assert(x == 255);
    return 0;
}
