//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    int x = 1;
    void set(void) { x = 2; }
    set();
    assert(x == 1);
    return 0;
}
