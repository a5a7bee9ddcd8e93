// The usual arithmetic conversions, seen through _Generic and results.
#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", \
    long long: "llong", unsigned long long: "ullong", float: "float", double: "double", default: "other")

int main(void) {
    char c = 1;
    short s = 2;
    int i = 3;
    unsigned u = 4;
    long l = 5;
    unsigned long ul = 6;
    long long ll = 7;
    unsigned long long ull = 8;
    float f = 1.5f;
    double d = 2.5;
    printf("%s %s %s\n", KIND(c + c), KIND(s + c), KIND(i + s));
    printf("%s %s %s\n", KIND(i + u), KIND(u + l), KIND(l + ul));
    printf("%s %s %s\n", KIND(l + ll), KIND(ul + ll), KIND(ll + ull));
    printf("%s %s %s\n", KIND(f + i), KIND(f + d), KIND(f + ull));
    printf("%s %s\n", KIND(f * f), KIND(d - l));
    printf("%s %s\n", KIND(1 ? i : u), KIND(0 ? f : ll));
    printf("%s %s %s\n", KIND(c << ull), KIND(-s), KIND(!ull));
    printf("%s %s\n", KIND(i < ull), KIND(c == d));
    printf("%u\n", i - u);
    printf("%ld\n", -l + u);
    printf("%lu\n", ul - l - 2);
    printf("%g\n", f * i + d);
    printf("%g\n", i / u + f / 2);
    return (int)(ull + c);
}
