//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void)
{
    printf("x");
    assert(errno == 0);
    return 0;
}
