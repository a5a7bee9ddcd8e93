// Parameters are copies; arrays and functions decay; K&R-style and prototype-less definitions.
#include <stdio.h>

static void change(int x, int *y, int z[2]) {
    x = 100;
    *y = 200;
    z[0] = 300;
    z = y;
    z[0]++;
}
static int apply(int f(int), int v) { return f(v); }
static int inc(int v) { return v + 1; }
static int old_style(a, b, c)
int a;
char b;
double c;
{
    return a + b + (int)c;
}
static long many(char a, short b, int c, long d, float e, double f, unsigned char g, _Bool h, long i, int j, int k) {
    return a + b * 2 + c * 3 + d * 4 + (long)e * 5 + (long)f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11;
}
static unsigned char narrow(unsigned char c) { return c + 1; }
static float tofloat(double d) { return d; }

int main(void) {
    int x = 1, y = 2, z[2] = {3, 4};
    change(x, &y, z);
    printf("%d %d %d %d\n", x, y, z[0], z[1]);
    printf("%d %d\n", apply(inc, 4), apply(&inc, 5));
    printf("%d\n", old_style(1, 'A', 2.9));
    printf("%ld\n", many(-1, 2, -3, 4, 5.5f, -6.5, 255, 1, 9, -10, 11));
    printf("%d %d\n", narrow(255), narrow(300));
    printf("%d\n", tofloat(0.1) == 0.1f);
    printf("%ld\n", many(300, 70000, 1, 1, 1, 1, 257, 2, 1, 1, 1));
    return z[1] + apply(inc, 6);
}
