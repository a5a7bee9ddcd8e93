// __typeof__, _Alignas, _Alignof on types and objects, and sizeof of expressions without evaluation.
#include <stdint.h>
#include <stdio.h>

struct wide { _Alignas(32) char c; };

int main(void) {
    int x = 5;
    __typeof__(x) y = 6;
    __typeof__(&x) p = &y;
    __typeof__(int[3]) arr = {1, 2, 3};
    __typeof__(1.5f + 2) d = 2.5;
    printf("%d %d %d %g %zu\n", y, *p, arr[2], d, sizeof d);
    printf("%zu %zu\n", sizeof x++, sizeof(x += 10));
    printf("%d\n", x);
    printf("%zu %zu %zu\n", sizeof(struct wide), _Alignof(struct wide), sizeof arr);
    _Alignas(64) char buffer[10];
    buffer[0] = 1;
    printf("%d\n", (int)((uintptr_t)buffer % 64));
    printf("%zu %zu %zu\n", sizeof 'a', sizeof(char), sizeof "four");
    printf("%zu %zu\n", sizeof(x ? 1 : 2L), sizeof(int(*)[9]));
    return (int)sizeof(struct wide) + buffer[0];
}
