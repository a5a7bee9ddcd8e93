// GNU C: vectors, their operators element by element, comparisons, casts, elements, shuffles, in records and calls.
#include <stdio.h>
#include <string.h>

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned char v16qi __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef long long v2di __attribute__((vector_size(16)));

struct holder {
    char tag;
    v4si v;
};

static v4si global = {1, 2, 3};

static v4si add(v4si a, v4si b) { return a + b; }

static void show(const char *name, v4si v) {
    printf("%s: %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

int main(void) {
    v4si a = {1, -2, 3, -4}, b = {10, 20, 30, 40};
    show("add", add(a, b));
    show("mixed", a * b - 3);
    show("div", b / (v4si){3, 3, -7, 7});
    show("shift", (b << 2) >> 1);
    show("less", a < b);
    show("equal", a == (v4si){1, 2, 3, 4});
    show("not", ~a);
    show("minus", -a);
    show("global", global += 5);
    for (int i = 0; i < 4; i++)
        a[i] += i * 100;
    show("elements", a);
    v16qi bytes = (v16qi)b;
    printf("bytes %d %d %zu\n", bytes[0], bytes[4], sizeof bytes);
    bytes += 250;
    printf("wrapped %d %d\n", bytes[0], bytes[1]);
    v4sf f = {1.5f, 2.5f, -3.5f, 0.0f};
    v4si larger = f > 1.0f;
    show("floats", larger);
    f *= 2;
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    v2df d = {0.1, 0.2};
    d = d + d;
    printf("%.17g %.17g\n", d[0], d[1]);
    v2di wide = (v2di)(v4si){1, 0, 2, 0};
    printf("%lld %lld\n", wide[0], wide[1]);
    show("shuffled", __builtin_shuffle(b, (v4si){3, 2, 1, 0}));
    show("two", __builtin_shuffle(a, b, (v4si){0, 4, 1, 5}));
    struct holder h = {'x', {7, 8, 9, 10}}, copy = h;
    copy.v[2] = 0;
    show("held", h.v);
    show("copied", copy.v);
    v4si *p = &h.v;
    show("through a pointer", *p & 3);
    printf("%zu %zu %d\n", sizeof(struct holder), _Alignof(v4si), memcmp(&a, &a, sizeof a));
    return 0;
}
