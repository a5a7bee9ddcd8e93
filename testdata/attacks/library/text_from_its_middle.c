//@ class: library
//@ args: reach --target error
//@ never: unreachable
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    const char *home = getenv("HOME");
    // An empty text has no fourth byte.
    if (home) puts(home + 3);
    return 0;
}
