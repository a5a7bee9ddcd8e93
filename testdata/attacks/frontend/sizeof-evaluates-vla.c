//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    int n = 2, k = 0;
    int a[n][n];
    unsigned long z = sizeof(a[k++]);
    assert(k == 0);
    return (int)z & 0;
}
