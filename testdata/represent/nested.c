//~ sample: {"a": 3, "b": -2, "c": 7, "mode": 1}
//~ variants: 24
//~ fields: b, c, mode
/* Locals that a switch and an if set, one after the other. */
#include "plumb.h"
void nested(int a, int b, int c, int mode, int *u, int *v)
{
    int t = 0, w;
    switch (mode) { case 1: t = a + b; break; case 2: { t = a - b; w = 1; break; } default: t = c; }
    if (mode > 2 || (mode < 0 && !(c == 4))) { w = t + 1; } else { w = t; }
    *u = w;
    *v = a;
}
