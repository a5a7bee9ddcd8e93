//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void push(int *p) { g = g * 10 + *p; }
int main(void) {
    {
        int a __attribute__((cleanup(push))) = 1;
        int b __attribute__((cleanup(push))) = 2;
        (void)a;
        (void)b;
    }
    assert(g == 12);
    return 0;
}
