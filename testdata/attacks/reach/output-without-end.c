//@ class: reach
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    char text[2] = {'a', 'b'};
    if (argc > 1) printf("%s\n", text);
    return 0;
}
