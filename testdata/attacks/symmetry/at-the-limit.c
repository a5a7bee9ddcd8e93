//@ class: symmetry
//@ args: symmetry --entry f --discover
//@ never: holds
//@ never: observed
#include <limits.h>
int f(int a, int b) { return a == INT_MIN ? 1 : a ^ b; }
