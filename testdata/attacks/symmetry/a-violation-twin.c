//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=-5..5
//@ twin: violated
int f(int a, int b) { return a - b; }
