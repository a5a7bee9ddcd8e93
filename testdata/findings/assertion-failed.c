// An assertion that does not hold.
#include <assert.h>
#include <stdio.h>

static int root(int n) {
    assert(n >= 0); //~ ERROR assertion-failed
    int r = 0;
    while ((r + 1) * (r + 1) <= n)
        r++;
    return r;
}

int main(void) {
    printf("%d\n", root(30));
    printf("%d\n", root(-4));
    return 0;
}
