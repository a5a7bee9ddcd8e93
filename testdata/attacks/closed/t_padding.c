//@ class: closed
//@ args: prove
//@ twin: proved assert
#include <assert.h>
#include <string.h>
struct s { char a; int b; long double c; struct { short d; char e; } f[2]; };
int main(void) {
    struct s x, y;
    memset(&x, 0, sizeof x);
    assert(((unsigned char *)&x)[1] == 0);
    x.a = 1;
    x.b = 2;
    x.c = 3.5L;
    x.f[1].e = 4;
    y = x;
    assert(y.a == 1 && y.b == 2 && y.c == 3.5L && y.f[0].d == 0 && y.f[1].e == 4);
    return 0;
}
