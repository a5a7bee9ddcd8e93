//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void set(int *p) { g = *p; }
int main(void) {
    switch (g) {
    case 0: {
        int x __attribute__((cleanup(set))) = 9;
        (void)x;
        break;
    }
    }
    assert(g == 0);
    return 0;
}
