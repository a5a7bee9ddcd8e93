//@ class: startup
//@ args: prove
//@ twin: proved
// A jump inside the scope does not leave it.
#include <assert.h>

int g;
static void count(int *p) { g += *p; }
int main(void) {
    {
        int x __attribute__((cleanup(count))) = 1;
        if (x == 1)
            goto inside;
        x = 7;
    inside:
        x += 1;
    }
    assert(g == 2);
    return 0;
}
