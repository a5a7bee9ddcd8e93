//@ class: reach
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    char block[4] = "abc";
    fwrite(block, 1, argc > 1 ? 5 : 4, stdout);
    return 0;
}
