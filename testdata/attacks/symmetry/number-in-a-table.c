//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
//@ never: observed
static const int at[] = {5, 120000};
int f(int a, int b) { return a == at[1] && b == at[0]; }
