// Members aligned to two bytes at most, where no pragma says otherwise.
//~ cflags: -fpack-struct=2
#include <stdio.h>
#include <stddef.h>
struct s { char c; long l; int i : 5; int j : 30; short k; } x; struct n { struct s a; char b; };
#pragma pack(push, 8)
struct t { char c; long l; };
#pragma pack(pop)
struct u { char c; double d; } y;
int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof x, offsetof(struct s, l), sizeof(struct n), sizeof(struct t), sizeof y, _Alignof(struct s));
    return 0;
}
