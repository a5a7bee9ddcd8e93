//@ class: entries
//@ args: prove --entry f
//@ never: refuted
#include <assert.h>
#include <stdlib.h>
void f(int *a, int *b) {
    if (a == b) return;
    int before = *a;
    *b = before + (before < 5);
    assert(*a == before);
}
