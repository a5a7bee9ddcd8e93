//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
//@ never: observed
int f(double a, double b) { return a == 1234.5 && b == 0; }
