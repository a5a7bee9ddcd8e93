//~ inputs: a=1..200 b=1..200
//~ violated-by: a=43 b=172
//~ wrong: adds the claim that the second number is no multiple of the first
// Greatest common divisor and least common multiple after Dijkstra: the greatest common divisor is x, the least
// common multiple (u + v) / 2.
#include <assert.h>

void vassume(int condition);
void vtrace1(int a, int b, int x, int y, int u, int v);

int mainQ(int a, int b) {
    vassume(a >= 1);
    vassume(b >= 1);
    int x = a, y = b, u = b, v = a;
    while (1) {
        vtrace1(a, b, x, y, u, v);
        if (!(x != y)) break;
        if (x > y) {
            x = x - y;
            v = v + u;
        } else {
            y = y - x;
            u = u + v;
        }
    }
    assert(x == y);
    assert(x * (u + v) == 2 * a * b && u + v != 2 * b);
    assert(x >= 1);
    return (u + v) / 2;
}
