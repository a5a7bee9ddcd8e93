//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
int mode;
void set(int m) { mode = m; }
int f(int a, int b) { return mode ? a - b : a + b; }
