//@ class: datamodel
//@ args: prove
//@ twin: proved
#include <assert.h>
typedef float wide __attribute__((mode(DF)));

int main(void)
{
    assert(sizeof(wide) == 8);
    return 0;
}
