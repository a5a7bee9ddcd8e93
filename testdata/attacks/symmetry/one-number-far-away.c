//@ class: symmetry
//@ args: symmetry --entry f --discover
//@ never: holds
//@ never: observed
int f(int a, int b) { return a == 1000 && b != 1000 ? 0 : a + b / 2 * 2 + b % 2; }
