//~ inputs: x=-100..100
//~ violated-by: x=58
//~ wrong: claims that x stays below 11
// Two phases: as long as x is below 5, y stays 5; from then on both grow together. Needs a disjunction at the loop head.
#include <assert.h>

void vassume(int condition);
void vtrace1(int x, int y);

int mainQ(int x) {
    int y = 5;
    if (x > y) x = y;
    while (1) {
        vtrace1(x, y);
        if (!(x <= 10)) break;
        if (x >= 5) y = y + 1;
        x = x + 1;
    }
    assert(y == 11 && x == y && x < 11);
    return y;
}
