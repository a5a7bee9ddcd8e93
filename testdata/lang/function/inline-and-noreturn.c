// static inline, _Noreturn, function attributes, and functions used before their definition.
#include <stdio.h>
#include <stdlib.h>

static inline int square(int x) { return x * x; }
static inline __attribute__((always_inline)) int cube(int x) { return x * square(x); }
_Noreturn static void finish(int code);
static int used_later(int);
int __attribute__((noinline, unused)) quiet(void) { return 3; }

static int check(int v) {
    if (v > 50)
        finish(v % 50);
    return v;
}

int main(void) {
    printf("%d %d %d\n", square(7), cube(3), used_later(4));
    int (*p)(int) = square;
    printf("%d %d\n", p(9), quiet());
    if (__builtin_expect(square(2) == 5, 0))
        return 1;
    for (int i = 0;; i++)
        printf("%d ", check(i * i));
}

static int used_later(int n) { return n ? n + used_later(n - 1) : 0; }

static void finish(int code) {
    printf("finish\n");
    exit(code);
}
