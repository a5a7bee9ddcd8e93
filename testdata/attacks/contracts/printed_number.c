//@ class: contracts
//@ args: contract
//@ never: proved given
// printf may write, too.
#include <stdio.h>
/*@ ensures \result == 0; */
int shown(int key) { int n = 0; if (key == 1234567) printf("abc%n", &n); return n; }
