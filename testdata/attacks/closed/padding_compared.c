//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <string.h>
struct s { char a; int b; };
int main(void) {
    struct s x, y;
    memset(&x, 255, sizeof x);
    memset(&y, 0, sizeof y);
    x.a = 1;
    x.b = 2;
    y = x;
    assert(memcmp(&x, &y, sizeof x) == 0);
    return 0;
}
