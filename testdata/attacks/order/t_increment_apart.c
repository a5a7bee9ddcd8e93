//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int main(void) {
    int i = 0, j = 5;
    int x = i++ + j++;
    assert(x == 5 && i == 1 && j == 6);
    return 0;
}
