// A tagged record or a typedef as an anonymous member.
//~ cflags: -fms-extensions
#include <stdio.h>
struct in { int a, b; }; typedef struct in in_t;
struct out { int x; struct in; union { int y; struct t { int q; }; }; };
struct out2 { char c; in_t; } z = { 1, { 2, 3 } };
int main(void) {
    struct out o = { .a = 1, .b = 2, .y = 4 };
    o.b += o.a;
    printf("%d %d %d %zu %d %d\n", o.a, o.b, o.q, sizeof o, z.a, z.b);
    return 0;
}
