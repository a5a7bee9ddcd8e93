//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=-5..5
//@ twin: violated
int calls;
int f(int a, int b) { calls++; return a - b; }
