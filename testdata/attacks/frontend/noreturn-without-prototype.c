//@ class: frontend
//@ args: prove
//@ never: proved
#include <assert.h>
extern void stop() __attribute__((noreturn));

int main(void)
{
    int x = 3;
    assert(x == 4);
    return 0;
}
