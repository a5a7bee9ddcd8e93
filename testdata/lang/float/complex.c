// Complex numbers: operators, conversions, parts as objects, records and globals of them, integers.
#include <complex.h>
#include <stdio.h>

static double _Complex constant = 3.0 - 4.0i;
static float _Complex table[2] = {1.0f, 2.0if};

struct held {
    int n;
    double _Complex z;
};

static struct held held = {1, 2.0 + 0.5i};

static void show(const char *name, double _Complex z) {
    printf("%s: %.17g %.17g\n", name, __real__ z, __imag__ z);
}

static double _Complex square(double _Complex z) { return z * z; }

static double norm(double _Complex z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

int main(void) {
    double _Complex a = 1.5 + 2.5i, b = -0.3 + 0.7i;
    show("constant", constant);
    show("sum", a + b);
    show("difference", a - 1);
    show("from a real", 1 - a);
    show("product", a * b);
    show("scaled", 2 * a);
    show("quotient", a / b);
    show("by a real", a / 3);
    show("of a real", 1.0 / b);
    show("conjugate", ~a);
    show("negated", -a);
    show("squared", square(constant));
    show("table", table[0] + table[1]);
    show("held", held.z * held.n);
    __real__ a = 10;
    __imag__ a += 1;
    show("parts", a);
    a += b;
    a *= 2;
    show("assigned", a);
    float _Complex f = a;
    show("narrowed", f * f);
    show("float quotient", f / table[1]);
    _Complex int whole = 3 + 4i;
    whole = whole * whole - 1;
    printf("%d %d\n", __real__ whole, __imag__ whole);
    printf("%d %d %d\n", a == a, a != b, !(0.0 + 0.0i) ? 1 : 0);
    printf("%g %d %zu\n", norm(constant), (int)a, sizeof a);
    printf("%zu %zu %zu\n", sizeof creal(a), sizeof crealf(f), sizeof creall(a));
    f++;
    show("counted", f);
    show("chosen", norm(a) > 1 ? a : 0);
    double _Complex z = 0;
    for (int i = 0; i < 20; i++)
        z = square(z) + (0.1 + 0.2i);
    show("iterated", z);
    return 0;
}
