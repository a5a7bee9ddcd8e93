// The third holder, whose `step` is a variable and whose `counter` is a function.
#include "shared.h"

static int step = 3;
static int counter(void) { return step++; }
int c_step(void) {
    static int name = 0;
    name += counter();
    return name;
}
const char *c_name(void) { return "c"; }
