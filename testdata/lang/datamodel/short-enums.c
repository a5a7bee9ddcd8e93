// Enumerations as small as their values allow.
//~ cflags: -fshort-enums
#include <stdio.h>
enum a { A, B = 3 }; enum b { C = -1, D = 200 }; enum c { E = 70000 }; enum d { F = -128 }; enum big { G = 1L << 40 };
struct s { char c; enum a e; enum b f; } x = { 1, B, D };
int main(void) {
    enum a e = 250;
    e += 10;
    printf("%zu %zu %zu %zu %zu %zu %d %d %zu\n", sizeof(enum a), sizeof(enum b), sizeof(enum c), sizeof(enum d), sizeof(enum big), sizeof x, e, x.f, sizeof A);
    return 0;
}
