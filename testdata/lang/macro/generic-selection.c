// _Generic over qualified, pointer, array and function types, used for overloads.
#include <stdio.h>
#include <stdlib.h>

static int abs_i(int x) { return x < 0 ? -x : x; }
static double abs_d(double x) { return x < 0 ? -x : x; }
static long abs_l(long x) { return x < 0 ? -x : x; }
#define ABS(x) _Generic((x), int: abs_i, long: abs_l, float: abs_d, double: abs_d)(x)
#define TYPE(x) _Generic((x), \
    char *: "char*", const char *: "const char*", int *: "int*", void *: "void*", \
    int: "int", double: "double", struct s: "struct s", int (*)(int): "function", \
    int (*)[3]: "int(*)[3]", default: "other")
struct s { int a; };

int main(void) {
    int a[3] = {0};
    const char *cs = "x";
    char *m = "y";
    const int ci = 3;
    struct s s = {1};
    void *v = a;
    printf("%d %ld %g %g\n", ABS(-3), ABS(-4L), ABS(-2.5), ABS(-1.5f));
    printf("%s %s %s %s\n", TYPE(a), TYPE(cs), TYPE(m), TYPE(v));
    printf("%s %s %s %s\n", TYPE(ci), TYPE(s), TYPE(abs_i), TYPE(&a));
    printf("%s %s %s\n", TYPE("lit"), TYPE('c'), TYPE(1.0f));
    printf("%d\n", _Generic(1 ? 1 : 2.0, int: 1, double: 2));
    /* The controlling expression is not evaluated. */
    int n = 0;
    int r = _Generic(n++, int: 5, default: 6);
    printf("%d %d\n", n, r);
    return r * 7 + _Generic((char)0, char: 1, int: 2);
}
