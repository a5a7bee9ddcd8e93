//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
    v4 x = {1, 2, 3, 4};
    assert(x[0] == 2);
    return 0;
}
