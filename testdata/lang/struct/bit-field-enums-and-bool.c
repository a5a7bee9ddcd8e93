// Bit-fields of enum, _Bool, long and char types, in unions and nested structs, with designated initialisers.
#include <stdbool.h>
#include <stdio.h>

enum suit { CLUBS, DIAMONDS, HEARTS, SPADES };
struct card {
    enum suit suit : 3;
    unsigned char rank : 4;
    bool face : 1;
};
union header {
    struct { unsigned version : 4, length : 4, flags : 8, rest : 16; } f;
    unsigned raw;
};
struct mixed {
    long a : 33;
    char gap;
    struct { unsigned lo : 5; unsigned hi : 27; } in;
    int z : 1;
};

int main(void) {
    struct card hand[3] = {{.rank = 12, .suit = HEARTS, .face = true}, {SPADES, 1}, {.rank = 17}};
    for (int i = 0; i < 3; i++)
        printf("%d %d %d\n", hand[i].suit, hand[i].rank, hand[i].face);
    union header h = {.f = {4, 5, 0xA0, 0x1234}};
    printf("%x\n", h.raw);
    h.raw += 1u << 4;
    printf("%u %x\n", h.f.length, h.f.rest);
    struct mixed m = {.in.hi = 0x7FFFFFF, .a = -4294967296L, .z = -1};
    printf("%ld %u %u %d\n", (long)m.a, m.in.lo, m.in.hi, m.z);
    m.in.lo--;
    m.in.hi++;
    m.a /= 3;
    printf("%ld %u %u\n", (long)m.a, m.in.lo, m.in.hi);
    struct card *best = &hand[1];
    best->face = best->rank == 1 && best->suit == SPADES;
    printf("%d\n", best->face);
    return (int)h.f.length * 10 + hand[2].rank;
}
