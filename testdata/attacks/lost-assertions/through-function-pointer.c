//@ class: lost-assertions
//@ args: prove
//@ never: proved
//@ never: exit 0
#include <assert.h>
static void a(void) { assert(0); }
static void b(void) {}
int main(int argc, char **argv) {
    void (*f[2])(void) = {a, b};
    (void)argv;
    f[argc - 1]();
    return 0;
}
