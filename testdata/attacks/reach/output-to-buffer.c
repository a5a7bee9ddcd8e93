//@ class: reach
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
int main(int argc, char **argv) {
    char buffer[4];
    if (argc > 1 && argv[1][0] == 'x') sprintf(buffer, "<%s>", argv[1]);
    return 0;
}
