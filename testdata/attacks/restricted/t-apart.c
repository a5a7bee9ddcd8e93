//@ class: restricted
//@ args: prove
//@ twin: proved
#include <assert.h>
#include <string.h>
static int both(int *restrict p, const int *restrict q) {
    *p = *q + 1;
    return *p + *q;
}
int main(void) {
    int x = 0, y = 5;
    char text[8];
    int seen = both(&x, &y);
    assert(seen == 11 && x == 6);
    strcpy(text, "seven");
    assert(strlen(text) == 5);
    return 0;
}
