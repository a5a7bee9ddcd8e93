//@ class: startup
//@ args: prove
//@ twin: proved
// A jump inside the scope does not leave it.
#include <assert.h>

int g;
static void count(int *p) { g += *p; }
int main(void) {
    int n = 0;
    {
        int x __attribute__((cleanup(count))) = 1;
    again:
        x += 1;
        if (++n < 2)
            goto again;
    }
    assert(g == 3);
    return 0;
}
