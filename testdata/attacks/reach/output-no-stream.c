//@ class: reach
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    FILE *out = argc > 1 ? 0 : stdout;
    fputs("text", out);
    return 0;
}
