//@ class: datamodel
//@ args: prove
//@ twin: proved
#include <assert.h>
typedef int tiny __attribute__((mode(QI)));

int main(void)
{
    tiny t = (tiny)300;
    assert(t == 44);
    return 0;
}
