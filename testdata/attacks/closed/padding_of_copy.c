//@ class: closed
//@ args: prove
//@ never: proved
#include <assert.h>
#include <string.h>
struct s { char a; int b; };
static struct s same(struct s x) { return x; }
int main(void) {
    struct s x, y;
    memset(&x, 255, sizeof x);
    x.a = 1;
    x.b = 2;
    y = same(x);
    assert(((unsigned char *)&y)[1] == 255);
    return 0;
}
