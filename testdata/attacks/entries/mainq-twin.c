//@ class: entries
//@ args: prove
//@ twin: proved
#include <assert.h>
int g = 4;
void mainQ(int x) { assert(g == 4 && x == x); }
