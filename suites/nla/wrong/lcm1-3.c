//~ inputs: a=1..200 b=1..200
//~ violated-by: a=180 b=150
//~ wrong: adds a false bound of the greatest common divisor
// Greatest common divisor and least common multiple together, two subtracting loops inside one: the greatest common
// divisor is x, the least common multiple u + v.
#include <assert.h>

void vassume(int condition);
void vtrace1(int a, int b, int x, int y, int u, int v);
void vtrace2(int a, int b, int x, int y, int u, int v);
void vtrace3(int a, int b, int x, int y, int u, int v);

int mainQ(int a, int b) {
    vassume(a >= 1);
    vassume(b >= 1);
    int x = a, y = b, u = b, v = 0;
    while (1) {
        vtrace1(a, b, x, y, u, v);
        if (!(x != y)) break;
        while (1) {
            vtrace2(a, b, x, y, u, v);
            if (!(x > y)) break;
            x = x - y;
            v = v + u;
        }
        while (1) {
            vtrace3(a, b, x, y, u, v);
            if (!(x < y)) break;
            y = y - x;
            u = u + v;
        }
    }
    assert(x == y);
    assert(x * (u + v) == a * b);
    assert(x >= 1 && (x == 1 || a == b || x * x < a + b));
    return u + v;
}
