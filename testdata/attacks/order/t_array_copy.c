//@ class: order
//@ args: prove
//@ twin: proved
#include <assert.h>

int main(void) {
    int a[3] = { 1, 2, 3 }, b[3] = { 0, 0, 0 }, i = 0, j = 0;
    b[j++] = a[i++];
    assert(b[0] == 1 && i == 1 && j == 1);
    return 0;
}
