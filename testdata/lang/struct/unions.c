// Unions: size and alignment, tagged unions, common initial sequence, type punning.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number {
    uint32_t u;
    float f;
    uint8_t bytes[4];
    int16_t halves[2];
};
enum kind { INTEGER, TEXT, PAIR };
struct value {
    enum kind kind;
    union {
        long integer;
        char text[8];
        struct { int a, b; } pair;
    } as;
};

static void show(const struct value *v) {
    switch (v->kind) {
    case INTEGER: printf("%ld\n", v->as.integer); break;
    case TEXT: printf("%s\n", v->as.text); break;
    case PAIR: printf("%d/%d\n", v->as.pair.a, v->as.pair.b); break;
    }
}

int main(void) {
    union number n = {.f = 1.0f};
    printf("%08x\n", n.u);
    n.u |= 0x80000000u;
    printf("%g\n", n.f);
    n.bytes[3] = 0x40;
    printf("%g\n", n.f);
    n.u = 0xFFFE0001;
    printf("%d %d\n", n.halves[0], n.halves[1]);
    struct value vs[] = {{INTEGER, {.integer = -5}}, {TEXT, {.text = "hello"}}, {PAIR, {.pair = {3, 4}}}};
    for (int i = 0; i < 3; i++)
        show(&vs[i]);
    vs[0] = vs[2];
    show(vs);
    double d = -2.0;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    printf("%016llx %d\n", (unsigned long long)bits, (int)(bits >> 63));
    bits ^= 1ull << 63;
    memcpy(&d, &bits, sizeof d);
    printf("%g\n", d);
    printf("%zu %zu %zu\n", sizeof(union number), sizeof(struct value), _Alignof(struct value));
    union number first = {7};
    return (int)first.u + (int)sizeof vs;
}
