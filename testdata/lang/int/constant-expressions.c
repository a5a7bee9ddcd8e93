// Constant expressions in array sizes, case labels, enums, bit-field widths and static assertions.
#include <limits.h>
#include <stdio.h>

#define KB(n) ((n) * 1024)
enum { WIDTH = 3 + 4 * 2, MASK = (1 << 5) - 1, COND = WIDTH > 10 ? 7 : 9, NEG = ~0, SIZE = sizeof(long[4]) };
_Static_assert(WIDTH == 11, "arithmetic in enumerators");
_Static_assert(SIZE == 32, "sizeof is a constant");
_Static_assert((unsigned char)300 == 44, "casts fold");
_Static_assert(-7 / 2 == -3 && -7 % 2 == -1, "division folds toward zero");
_Static_assert(UINT_MAX + 1u == 0, "unsigned folds with wrap");

static int table[COND + 1] = {MASK, NEG, KB(2), 'A' + 1, 10 / 3, 10 % 3, 1 && 0 || 2, !5};
struct packed {
    unsigned field : COND - 2;
};

int main(void) {
    int r = 0;
    for (int i = 0; i < COND + 1; i++)
        printf("%d ", table[i]);
    printf("\n%d\n", (int)(sizeof table / sizeof *table));
    for (int i = 0; i < 40; i++) {
        switch (i) {
        case WIDTH: r += 1; break;
        case WIDTH * 2 + 1: r += 2; break;
        case MASK & ~1: r += 4; break;
        case COND << 2: r += 8; break;
        case sizeof(int): r += 16; break;
        }
    }
    struct packed p = {33};
    printf("%d %d\n", r, p.field);
    static const long big = 1L << 40;
    printf("%ld\n", big);
    return r;
}
