//@ class: entries
//@ args: prove
//@ never: proved
#include <assert.h>
#include <stdlib.h>
int main(void) {
    assert(getenv("HOME") == 0);
    return 0;
}
