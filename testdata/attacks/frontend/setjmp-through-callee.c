//@ class: frontend
//@ args: prove --ints machine
//@ never: proved
#include <assert.h>
#include <setjmp.h>
static jmp_buf place;
static int tried;

static void attempt(int n)
{
    tried++;
    if (n < 3)
        longjmp(place, n + 1);
}

int main(void)
{
    int n = setjmp(place);
    attempt(n);
    assert(tried == 1);
    return 0;
}
