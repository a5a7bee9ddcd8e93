//@ class: closed
//@ args: prove
//@ twin: proved
#include <assert.h>
#include <string.h>

int main(void)
{
    char a[4] = "c", b[4] = "a";
    assert(strcmp(a, b) > 0 && memcmp(b, a, 2) < 0 && strncmp(a, "cx", 1) == 0);
    return 0;
}
