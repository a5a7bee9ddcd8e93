//@ class: contracts
//@ args: contract
//@ twin: proved given
static void aim(int **where, int *at) { *where = at; }
/*@ ensures \result == 3; */
int through(void) { int a = 1, b = 2; int *p = &a; aim(&p, &b); *p = 3; return b; }
