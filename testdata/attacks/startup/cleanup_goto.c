//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void set(int *p) { g = *p; }
int main(void) {
    {
        int x __attribute__((cleanup(set))) = 6;
        if (x)
            goto out;
        x = 7;
    }
    out:
    assert(g == 0);
    return 0;
}
