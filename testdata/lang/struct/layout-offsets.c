// sizeof, _Alignof and offsetof for padded, nested, packed-by-order and over-aligned structs.
#include <stddef.h>
#include <stdio.h>

struct a { char c; int i; char d; };
struct b { char c; char d; int i; };
struct c { char c; double d; short s; };
struct d { struct a a; char tail; };
struct e { char text[5]; long l; };
struct f { char c; union { char x; long y; } u; char end; };
struct g { _Alignas(16) char c; int i; };
struct h { struct { char c; short s; } inner[3]; char z; };

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d));
    printf("%zu %zu %zu %zu\n", sizeof(struct e), sizeof(struct f), sizeof(struct g), sizeof(struct h));
    printf("%zu %zu %zu\n", offsetof(struct a, i), offsetof(struct a, d), offsetof(struct b, i));
    printf("%zu %zu\n", offsetof(struct c, d), offsetof(struct c, s));
    printf("%zu %zu\n", offsetof(struct d, tail), offsetof(struct e, l));
    printf("%zu %zu\n", offsetof(struct f, u), offsetof(struct f, end));
    printf("%zu %zu\n", offsetof(struct g, i), offsetof(struct h, z));
    printf("%zu %zu\n", offsetof(struct e, text[3]), offsetof(struct h, inner[2].s));
    printf("%zu %zu %zu %zu\n", _Alignof(char), _Alignof(short), _Alignof(double), _Alignof(struct g));
    printf("%zu %zu\n", _Alignof(struct h), _Alignof(int[7]));
    struct c arr[3];
    printf("%td\n", (char *)&arr[2] - (char *)&arr[0]);
    printf("%zu\n", sizeof arr[0].s + sizeof((struct e *)0)->text);
    _Static_assert(offsetof(struct c, d) == 8, "LP64 layout");
    return (int)(sizeof(struct g) + sizeof(struct h));
}
