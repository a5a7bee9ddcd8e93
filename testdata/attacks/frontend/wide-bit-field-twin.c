//@ class: frontend
//@ args: prove
//@ twin: proved assert
#include <assert.h>
struct s { unsigned long a : 40; long b : 36; };
int main(void) {
    struct s s = { 0xffffffffffUL, -5 };
    unsigned long whole = s.a;
    assert(whole + 1 == 1UL << 40);
    assert(s.a + 1UL == 1UL << 40);
    assert(s.a >> 8 == 0xffffffffUL);
    assert(s.a > 100 && s.a % 16 == 15);
    s.a += 1;
    s.b++;
    assert(s.a == 0 && (long)s.b == -4L);
    return 0;
}
