//@ class: startup
//@ args: prove
//@ never: proved
#include <assert.h>

int g;
static int result(void) { g = 3; return 0; }
__attribute__((destructor)) static void bye(void) { assert(g != 3); }
int main(void) { return result(); }
