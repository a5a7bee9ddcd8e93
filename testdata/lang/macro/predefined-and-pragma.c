// __LINE__, __func__, __COUNTER__-free unique names, _Pragma, and line splices.
#include <stdio.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define UNIQUE(prefix) CAT(prefix, __LINE__)
#define WHERE() printf("%s:%d\n", __func__, __LINE__)

static void named(void) {
    WHERE();
    printf("%zu\n", sizeof __func__);
}

_Pragma("GCC diagnostic push")
_Pragma("GCC diagnostic pop")

int main(void) {
    int UNIQUE(v) = 3;
    int UNIQUE(v) = 4;
    printf("%d %d\n", v18, v19);
    named();
    WHERE();
    printf("%d\n", __LI\
NE__ > 20);
    /* a comment with // inside */ int x = 1; // one with /* inside
    int y = 10 /* divided */ / 2;
    x += y; // a spliced comment \
    x += 1000;
    printf("%d\n", x);
    printf("%d %d\n", __STDC__, __STDC_VERSION__ >= 201112L);
    return v18 * v19 + x;
}
