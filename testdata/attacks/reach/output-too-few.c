//@ class: reach
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 1) printf("%s %s\n", argv[0]);
    return 0;
}
