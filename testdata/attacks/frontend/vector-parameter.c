//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));

static int first(v4 v)
{
    assert(0);
    return v[0];
}

int main(void)
{
    v4 v = { 1, 2, 3, 4 };
    return first(v) - 1;
}
