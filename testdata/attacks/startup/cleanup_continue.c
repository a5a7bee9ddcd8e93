//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void count(int *p) { g += *p; }
int main(void) {
    for (int i = 0; i < 3; i++) {
        int x __attribute__((cleanup(count))) = 1;
        if (i == 1)
            continue;
        x = 10;
    }
    assert(g == 20);
    return 0;
}
