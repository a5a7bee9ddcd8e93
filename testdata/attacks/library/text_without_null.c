//@ class: library
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    printf("home is %s\n", getenv("PLUMB_NOBODY_SETS_THIS"));
    return 0;
}
