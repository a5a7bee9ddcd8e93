//@ class: obligations
//@ args: prove --ints machine
//@ never: proved
#include <assert.h>
long wide();
int main(int argc, char **argv) {
    assert(wide(argc - argc - 1) == -1);
    return 0;
}
long wide(x) long x; { return x; }
