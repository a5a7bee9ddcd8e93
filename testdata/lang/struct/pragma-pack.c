// #pragma pack: bounds pushed, popped and named, around members, bit-fields, unions and nested records
#include <stdio.h>
#include <string.h>

struct plain { char c; long l; short s; };
#pragma pack(push, 1)
struct one { char c; long l; short s; };
struct bits { unsigned a : 4; unsigned b : 30; unsigned long c : 40; unsigned char d : 3; };
#pragma pack(push, wide, 4)
struct four { char c; long l; short s; struct one inner; };
#pragma pack(pop, wide)
union either { char c; int i; double d; char text[5]; };
#pragma pack(pop)
#pragma pack(2)
struct two { char c; double d; unsigned : 0; unsigned z : 3; };
#pragma pack()
struct after { char c; struct one o; int i; };

static unsigned long sum(const void *object, unsigned long size) {
    const unsigned char *bytes = object;
    unsigned long total = 0;
    for (unsigned long i = 0; i < size; i++) total = total * 31 + bytes[i];
    return total;
}

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu %zu\n", sizeof(struct plain), sizeof(struct one), sizeof(struct bits),
           sizeof(struct four), sizeof(union either), sizeof(struct two), sizeof(struct after));
    struct bits bits;
    memset(&bits, 0, sizeof bits);
    bits.b = 0x2aaaaaaau;
    bits.c = 0x123456789aul;
    bits.d = 5;
    printf("%x %lx %x %lu\n", bits.b, (unsigned long)bits.c, bits.d, sum(&bits, sizeof bits));
    struct four four;
    memset(&four, 0, sizeof four);
    four.l = -2;
    four.inner.l = 77;
    four.inner.s = -3;
    printf("%ld %ld %d %lu\n", four.l, four.inner.l, four.inner.s, sum(&four, sizeof four));
    struct one list[3] = {{'a', 1, 2}, {'b', 3, 4}, {'c', 5, 6}};
    printf("%lu %d\n", sum(list, sizeof list), (int)((char *)&list[1].l - (char *)list));
    return (int)(sizeof(struct after) + sizeof(struct two));
}
