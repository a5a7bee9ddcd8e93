// longjmp into a call that has returned.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static int prepare(void) { return setjmp(place); }

int main(void) {
    if (prepare() == 0)
        longjmp(place, 1); //~ ERROR use-after-scope
    puts("back");
    return 0;
}
