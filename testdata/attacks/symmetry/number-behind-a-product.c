//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
//@ never: observed
int f(int a, int b) { return a % 1000 * 3 == 108 && b == 1; }
