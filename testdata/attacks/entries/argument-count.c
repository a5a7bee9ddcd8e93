//@ class: entries
//@ args: prove
//@ never: proved
#include <assert.h>
int main(int argc, char **argv) {
    (void)argv;
    assert(argc < 3);
    return 0;
}
