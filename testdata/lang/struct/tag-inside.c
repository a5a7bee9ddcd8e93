// A record with a tag inside another declares no member.
#include <stdio.h>
struct out { int x; struct t { int q; }; struct u; int y; } o = { 1, 2 };
int main(void) { struct t v = { 3 }; printf("%zu %d %d\n", sizeof o, o.y, v.q); return 0; }
