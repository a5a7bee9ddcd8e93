// Arbitrary-precision addition, subtraction, multiplication and short division on decimal strings.
#include <stdio.h>
#include <string.h>

#define DIGITS 120
struct big {
    int n;
    unsigned char d[DIGITS];
};

static struct big parse(const char *s) {
    struct big b = {0};
    b.n = (int)strlen(s);
    for (int i = 0; i < b.n; i++)
        b.d[i] = (unsigned char)(s[b.n - 1 - i] - '0');
    return b;
}
static void print(const struct big *b) {
    for (int i = b->n; i-- > 0;)
        putchar('0' + b->d[i]);
    putchar('\n');
}
static void trim(struct big *b) {
    while (b->n > 1 && b->d[b->n - 1] == 0)
        b->n--;
}
static struct big add(const struct big *a, const struct big *b) {
    struct big r = {0};
    int carry = 0;
    r.n = (a->n > b->n ? a->n : b->n) + 1;
    for (int i = 0; i < r.n; i++) {
        int s = carry + (i < a->n ? a->d[i] : 0) + (i < b->n ? b->d[i] : 0);
        r.d[i] = (unsigned char)(s % 10);
        carry = s / 10;
    }
    trim(&r);
    return r;
}
static struct big sub(const struct big *a, const struct big *b) {
    struct big r = *a;
    int borrow = 0;
    for (int i = 0; i < r.n; i++) {
        int s = r.d[i] - borrow - (i < b->n ? b->d[i] : 0);
        borrow = s < 0;
        r.d[i] = (unsigned char)(s + borrow * 10);
    }
    trim(&r);
    return r;
}
static struct big mul(const struct big *a, const struct big *b) {
    struct big r = {0};
    r.n = a->n + b->n;
    for (int i = 0; i < a->n; i++) {
        int carry = 0;
        for (int j = 0; j < b->n || carry; j++) {
            int s = r.d[i + j] + carry + a->d[i] * (j < b->n ? b->d[j] : 0);
            r.d[i + j] = (unsigned char)(s % 10);
            carry = s / 10;
        }
    }
    trim(&r);
    return r;
}
static int divide(struct big *a, int by) {
    int rest = 0;
    for (int i = a->n; i-- > 0;) {
        rest = rest * 10 + a->d[i];
        a->d[i] = (unsigned char)(rest / by);
        rest %= by;
    }
    trim(a);
    return rest;
}

int main(void) {
    struct big a = parse("98765432109876543210987654321"), b = parse("12345678901234567890");
    struct big c = add(&a, &b), d = sub(&a, &b), e = mul(&a, &b);
    print(&c);
    print(&d);
    print(&e);
    struct big f = add(&d, &b);
    printf("%d\n", f.n == a.n && memcmp(f.d, a.d, (size_t)a.n) == 0);
    int rest = divide(&e, 97);
    print(&e);
    struct big p = parse("1"), two = parse("2");
    for (int i = 0; i < 200; i++)
        p = mul(&p, &two);
    print(&p);
    return rest + e.n % 20;
}
