//@ class: datamodel
//@ args: prove -- -fms-extensions
//@ never: proved
#include <assert.h>
struct in { int a, b; };
struct out { int x; struct in; };

int main(void)
{
    assert(sizeof(struct out) == 4);
    return 0;
}
