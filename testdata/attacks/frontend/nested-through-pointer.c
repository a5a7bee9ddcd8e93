//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
static void twice(void (*f)(int))
{
    f(1);
    f(2);
}

int main(void)
{
    int total = 0;
    void add(int n) { total += n; }
    twice(add);
    assert(total == 0);
    return 0;
}
