//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
int main(void)
{
    static void *const table[] = { &&one, &&two };
    int x = 0, i = 1;
    goto *table[i];
one:
    x = 1;
    goto end;
two:
    x = 2;
end:
    assert(x == 1);
    return 0;
}
