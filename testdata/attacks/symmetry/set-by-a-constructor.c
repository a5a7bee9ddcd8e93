//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
#include <time.h>
static int late;
__attribute__((constructor)) static void begin(void) { late = time(0) > 4000000000; }
int f(int a, int b) { return late ? a - b : a + b; }
