//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
struct s { unsigned long a : 40; };
int main(void) {
    struct s s = { 0xffffffffffUL };
    assert(s.a != -1 || (s.a ? s.a : -1) != s.a || ~s.a != 0);
    return 0;
}
