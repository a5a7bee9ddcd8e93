//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
enum a { A };
enum b { B };

int main(void)
{
    assert(__builtin_types_compatible_p(enum a, enum b));
    return 0;
}
