//@ class: order
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int next(void) { return ++g; }
extern void reach_error(void);
int main(void) {
    if (next() - next() != -1)
        reach_error();
    return 0;
}
