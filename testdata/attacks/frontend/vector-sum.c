//@ class: frontend
//@ args: prove --ints machine
//@ never: proved
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));
int main(void)
{
    v4 a = { 1, 2, 3, 4 }, b = a + 1, c = b > a;
    assert(b[3] == 4 || c[0] == 1);
    return 0;
}
