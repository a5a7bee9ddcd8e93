// packed and aligned on members, typedefs that lower the alignment, modes.
#include <stdio.h>
#include <stddef.h>
#include <string.h>
typedef int low __attribute__((aligned(1))); typedef int high __attribute__((aligned(16)));
struct a { char c; int i __attribute__((packed)); long l; };
struct b { char c; __attribute__((packed)) long i; short s; };
struct c { char c; low i; }; struct d { char c; high i; }; struct e { char c; low x[2]; int y; };
struct f { char c; int x : 20 __attribute__((packed)); int y : 20; };
struct g { char c; int i __attribute__((packed, aligned(2))); };
struct h { char c; int i __attribute__((aligned(1))); }; struct i { char c; int i __attribute__((aligned)); };
struct j { int x; } __attribute__((aligned(32))) object_j; struct k { char c; struct j x; } __attribute__((packed)) object_k;
#pragma pack(1)
struct l { char c; int a : 3; int : 0; int b : 4; long m __attribute__((aligned(8))); };
#pragma pack()
typedef int qi __attribute__((mode(QI)));
typedef unsigned di __attribute__((mode(DI)));
typedef float df __attribute__((mode(DF)));
typedef enum { P, Q } __attribute__((mode(HI))) small; typedef unsigned __attribute__((mode(word))) word;
int main(void) {
#define L(t, m) printf(#t " %zu %zu %zu\n", sizeof(struct t), _Alignof(struct t), offsetof(struct t, m))
    L(a, i);
    L(a, l);
    L(b, i);
    L(b, s);
    L(c, i);
    L(d, i);
    L(e, x);
    L(e, y);
    L(g, i);
    L(h, i);
    L(i, i);
    L(k, x);
    L(l, m);
    printf("%zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(struct f), sizeof(qi), sizeof(di), sizeof(df), sizeof(small), sizeof(word), _Alignof(low), _Alignof(high));
    struct a x = { 1, 2, 3 };
    x.i += 40;
    char buf[8] = { 0 };
    *(low *)(buf + 1) = 0x01020304;
    printf("%d %d %d\n", x.i, buf[1], *(low *)(buf + 1) + 1);
    df d = 0.1;
    printf("%.17g\n", d);
    return 0;
}
