//@ class: library
//@ args: reach --target BAD
//@ never: unreachable
#include <stdio.h>
int main(void) {
    int stored = 0;
    printf("abc%n", &stored);
    if (stored == 3) {
    BAD:
        return 1;
    }
    return 0;
}
