// Inline assembly cannot be modelled: it must be reported as unsupported, never skipped in silence.
#include <stdio.h>

int main(void) {
    int in = 20, out;
    __asm__("leal 22(%1), %0" : "=r"(out) : "r"(in));
    printf("%d\n", out);
    return 0;
}
