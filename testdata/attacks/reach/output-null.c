//@ class: reach
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    const char *text = 0;
    if (argc > 1) puts(text);
    return 0;
}
