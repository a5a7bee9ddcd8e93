// Conversions to and from _Bool, including from floats and pointers.
#include <stdbool.h>
#include <stdio.h>

static bool truthy(int x) { return x; }

struct holder {
    bool a;
    bool b : 1;
};

int main(void) {
    bool x = 256;
    bool y = 0.25;
    bool z = 0.0;
    int v = 3;
    bool p = &v;
    bool n = (int *)0;
    struct holder h = {.a = 42, .b = 2};
    printf("%d %d %d %d %d\n", x, y, z, p, n);
    printf("%d %d\n", h.a, h.b);
    printf("%d %d\n", truthy(-7), truthy(0));
    x++;
    printf("%d\n", x);
    x = false;
    x |= 8;
    printf("%d\n", x);
    x += 5;
    printf("%d\n", x);
    x -= 1;
    printf("%d\n", x);
    printf("%d\n", !!42 + !0);
    printf("%d\n", (bool)0x100 + (bool)0x200);
    printf("%d\n", (int)sizeof(bool));
    return truthy(2) + 2 * p + 4 * y;
}
