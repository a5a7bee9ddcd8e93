// Layout of bit-fields: packing, units crossed, zero width, unnamed fields, mixed types, seen through memcpy.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct a { unsigned x : 4, y : 4; };
struct b { unsigned x : 30, y : 4; };
struct c { unsigned x : 4; unsigned : 0; unsigned y : 4; };
struct d { unsigned char x : 3; unsigned : 2; unsigned char y : 3; };
struct e { char c; unsigned x : 7; short s; unsigned y : 17; };
struct f { uint64_t x : 33, y : 31; };
struct g { unsigned short x : 9, y : 9; };
struct h { int : 5; int z : 3; };
struct i { unsigned char x : 6; unsigned y : 12; };

#define SHOW(T) printf("%s %zu %zu\n", #T, sizeof(struct T), _Alignof(struct T))

static void dump(const char *name, const void *p, size_t n) {
    const unsigned char *b = p;
    printf("%s:", name);
    for (size_t i = 0; i < n; i++)
        printf(" %02x", b[i]);
    printf("\n");
}

int main(void) {
    SHOW(a);
    SHOW(b);
    SHOW(c);
    SHOW(d);
    SHOW(e);
    SHOW(f);
    SHOW(g);
    SHOW(h);
    SHOW(i);
    struct a a;
    struct b b;
    struct f f;
    struct g g;
    struct i i;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&f, 0, sizeof f);
    memset(&g, 0, sizeof g);
    memset(&i, 0, sizeof i);
    a.x = 0xA, a.y = 0x5;
    b.x = 0x3FFFFFFF, b.y = 9;
    f.x = 0x1FFFFFFFFull, f.y = 0x12345678;
    g.x = 0x1FF, g.y = 0x101;
    i.x = 0x3F, i.y = 0xABC;
    dump("a", &a, sizeof a);
    dump("b", &b, sizeof b);
    dump("f", &f, sizeof f);
    dump("g", &g, sizeof g);
    dump("i", &i, sizeof i);
    return (int)sizeof(struct e);
}
