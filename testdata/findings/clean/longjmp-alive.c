// longjmp into a call that has not returned, more than once.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static void again(int n) { longjmp(place, n); }

int main(void) {
    int n = setjmp(place);
    if (n < 3)
        again(n + 1);
    printf("%d\n", n);
    return 0;
}
