// switch on char, _Bool, enum, long, unsigned char and bit-fields, with promotions of the labels.
#include <stdio.h>

enum e { A = -1, B = 5 };
struct bits { unsigned u : 3; signed s : 3; };

static int on_char(char c) {
    switch (c) {
    case 'x': return 1;
    case -1: return 2;
    case 255: return 3;
    default: return 4;
    }
}
static int on_uchar(unsigned char c) {
    switch (c) {
    case 255: return 5;
    case 0: return 6;
    }
    return 7;
}
static int on_long(long v) {
    switch (v) {
    case 1L << 33: return 8;
    case -1: return 9;
    case 0x7fffffffffffffff: return 10;
    }
    return 11;
}
static int on_enum(enum e v) {
    switch (v) {
    case A: return 12;
    case B: return 13;
    }
    return 14;
}

int main(void) {
    struct bits b = {7, -1};
    int r = 0;
    switch (b.u) {
    case 7: r += 1; break;
    default: r += 2;
    }
    switch (b.s) {
    case -1: r += 4; break;
    case 7: r += 8;
    }
    switch ((_Bool)42) {
    case 1: r += 16; break;
    case 0: r += 32;
    }
    printf("%d %d %d\n", on_char('x'), on_char((char)-1), on_char('y'));
    printf("%d %d %d\n", on_uchar((unsigned char)-1), on_uchar(256 & 255), on_uchar(9));
    printf("%d %d %d %d\n", on_long(8589934592), on_long(-1), on_long(0x7fffffffffffffff), on_long(0));
    printf("%d %d %d\n", on_enum(A), on_enum(B), on_enum(0));
    return r;
}
