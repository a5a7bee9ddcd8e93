//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    int total = 0;
    void add(int n) { total += n; }
    add(3);
    assert(total == 0);
    return 0;
}
