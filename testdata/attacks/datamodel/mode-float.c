//@ class: datamodel
//@ args: prove
//@ never: proved
#include <assert.h>
typedef float wide __attribute__((mode(DF)));

int main(void)
{
    assert(sizeof(wide) == 4);
    return 0;
}
