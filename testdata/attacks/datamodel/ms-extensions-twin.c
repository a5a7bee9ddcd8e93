//@ class: datamodel
//@ args: prove -- -fms-extensions
//@ twin: proved
#include <assert.h>
struct in { int a, b; };
struct out { int x; struct in; };

int main(void)
{
    assert(sizeof(struct out) == 12);
    return 0;
}
