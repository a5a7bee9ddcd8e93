//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    __label__ out;
    int passed = 0;
    void leave(void) { goto out; }
    leave();
    passed = 1;
out:
    assert(passed == 1);
    return 0;
}
