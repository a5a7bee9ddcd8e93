//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <string.h>

int main(void)
{
    assert(strcmp("c", "a") == 2);
    return 0;
}
