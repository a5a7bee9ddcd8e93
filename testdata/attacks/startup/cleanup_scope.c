//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static void note(int *p) { g = *p; }
int main(void) {
    {
        int x __attribute__((cleanup(note))) = 5;
        x++;
    }
    assert(g == 0);
    return 0;
}
