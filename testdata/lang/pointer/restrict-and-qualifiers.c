// Array parameter qualifiers, restrict, pointers to const in structs, and casts between pointer types.
#include <stdio.h>
#include <string.h>

static void axpy(int n, int k, const int *restrict x, int *restrict y) {
    for (int i = 0; i < n; i++)
        y[i] += k * x[i];
}
static int first(int a[const], int n) {
    int *const end = a + n;
    int s = 0;
    for (int *p = a; p != end; ++p)
        s = s * 2 + *p;
    return s;
}
static size_t count(const char *const *list) {
    size_t n = 0;
    while (list[n])
        n++;
    return n;
}
struct view { const unsigned char *data; size_t len; };
static unsigned checksum(struct view v) {
    unsigned s = 1;
    for (size_t i = 0; i < v.len; i++)
        s = s * 31 + v.data[i];
    return s;
}

int main(void) {
    int x[4] = {1, 2, 3, 4}, y[4] = {0};
    axpy(4, 3, x, y);
    axpy(3, 1, x + 1, y);
    printf("%d %d %d %d %d\n", y[0], y[1], y[2], y[3], first(y, 4));
    const char *names[] = {"a", "b", "c", NULL};
    printf("%zu\n", count(names));
    short s[2] = {0x0102, 0x0304};
    struct view v = {(const unsigned char *)s, sizeof s};
    printf("%u\n", checksum(v));
    char *text = (char *)(void *)memcpy((char[8]){0}, "casts", 6);
    printf("%s\n", text);
    long l = 0x4142434445464748;
    char *c = (char *)&l;
    printf("%c%c\n", c[0], c[7]);
    return first(x, 4);
}
