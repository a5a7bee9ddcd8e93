//@ class: datamodel
//@ args: prove
//@ never: proved
#include <assert.h>
typedef int tiny __attribute__((mode(QI)));

int main(void)
{
    tiny t = (tiny)300;
    assert(t == 300);
    return 0;
}
