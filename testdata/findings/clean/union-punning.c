// Reading another member of a union reinterprets its bytes.
#include <stdio.h>

union bits { float f; unsigned u; unsigned char b[4]; };

int main(void) {
    union bits x = {.f = 1.0f};
    printf("%x %d\n", x.u, x.b[3]);
    x.b[3] = 0xbf;
    printf("%g\n", x.f);
    return x.b[2] & 63 | 1;
}
