//@ class: symmetry
//@ args: symmetry --entry f --discover
//@ never: holds
//@ never: observed
#include <string.h>
int f(unsigned char a, unsigned char b) { return a && strchr("qz", a) ? 1 : a * b; }
