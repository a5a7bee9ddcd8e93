//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
#include <setjmp.h>
int main(void)
{
    jmp_buf place;
    volatile int n = 0;
    if (setjmp(place) == 0) {
        n = 1;
        longjmp(place, 1);
    }
    assert(n == 0);
    return 0;
}
