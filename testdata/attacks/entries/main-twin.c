//@ class: entries
//@ args: prove
//@ twin: proved
#include <assert.h>
int g = 4;
int main(void) {
    assert(g == 4);
    return 0;
}
