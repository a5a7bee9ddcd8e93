//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
__attribute__((constructor)) static void init(int argc, char **argv) { (void)argv; g = argc; }
int main(int argc, char **argv) {
    (void)argv;
    assert(g == 0 || argc == 0);
    return 0;
}
