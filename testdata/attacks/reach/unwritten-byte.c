//@ class: reach
//@ args: reach --target BAD
//@ never: unreachable
#include <stdlib.h>
int main(void) {
    unsigned char *p = malloc(4);
    if (!p) return 0;
    if (p[1] == 7) {
    BAD:
        return 1;
    }
    return 0;
}
