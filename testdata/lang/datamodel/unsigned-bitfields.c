// Bit-fields of plain int types are unsigned, those written with signed are not.
//~ cflags: -funsigned-bitfields
#include <stdio.h>
typedef int T; typedef signed int S;
enum e { N = -1, M };
struct s { int a : 3; signed b : 3; T c : 3; S d : 3; long e : 40; short f : 5; char g : 4; enum e h : 3; signed char i : 3; long long j : 3; } x;
int main(void) {
    x.a = x.b = x.c = x.d = x.e = x.f = x.g = -1;
    x.h = N;
    x.i = x.j = -1;
    printf("%d %d %d %d %ld %d %d %d %d %lld\n", x.a, x.b, x.c, x.d, (long)x.e, x.f, x.g, x.h, x.i, (long long)x.j);
    return 0;
}
