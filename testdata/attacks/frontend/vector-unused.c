//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));
v4 add(v4 a, v4 b) { return a + b; }

int main(void)
{
    int x = 3;
    assert(x == 4);
    return 0;
}
