// Signed and unsigned bit-fields: truncation on store, sign extension on load, promotion in expressions.
#include <stdio.h>

struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
    signed delta : 5;
    unsigned long wide : 40;
    signed char tiny : 4;
    _Bool yes : 1;
};

int main(void) {
    struct flags f = {1, 5, -3, 0xFFFFFFFFFFul, 7, 1};
    printf("%u %u %d %lu %d %d\n", f.ready, f.mode, f.delta, (unsigned long)f.wide, f.tiny, f.yes);
    f.mode = 13;
    f.delta = 17;
    f.tiny = 8;
    f.wide += 1;
    f.yes = 4;
    printf("%u %d %d %lu %d\n", f.mode, f.delta, f.tiny, (unsigned long)f.wide, f.yes);
    f.mode -= 6;
    f.delta *= 2;
    f.ready ^= 1;
    f.tiny++;
    printf("%u %d %u %d\n", f.mode, f.delta, f.ready, f.tiny);
    /* A narrow unsigned field promotes to int, so this difference is negative. */
    printf("%d\n", f.ready - 1 < 0);
    int r = (f.mode = 10);
    printf("%d\n", r);
    struct flags g = f;
    g.delta = -16;
    printf("%d %d %d\n", g.delta, g.delta >> 2, f.delta);
    struct flags *p = &g;
    p->wide = 1;
    p->wide <<= 39;
    printf("%lu\n", (unsigned long)p->wide);
    return f.mode * 10 + g.ready + r;
}
