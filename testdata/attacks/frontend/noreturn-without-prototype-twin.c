//@ class: frontend
//@ args: prove
//@ twin: proved
#include <assert.h>
extern void stop() __attribute__((noreturn));

int main(void)
{
    int x = 3;
    assert(x == 3);
    return 0;
}
