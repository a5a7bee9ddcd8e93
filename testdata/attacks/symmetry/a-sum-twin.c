//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=-50..50
//@ twin: holds
int f(int a, int b) { return a * b + (a > b ? a - b : b - a); }
