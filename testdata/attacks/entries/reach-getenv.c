//@ class: entries
//@ args: reach --target L
//@ never: unreachable
#include <stdlib.h>
int main(void) {
    if (getenv("HOME"))
        goto L;
    return 0;
L:
    return 1;
}
