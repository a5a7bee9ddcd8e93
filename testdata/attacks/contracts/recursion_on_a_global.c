//@ class: contracts
//@ args: contract
//@ never: proved given
// The call of itself changes the global that the promise is about.
static int depth;
/*@ ensures depth == \old(depth); */
void down(unsigned n) { if (n > 40) { depth = -1; return; } if (n > 0) down(n - 1); if (n == 39) depth = 5; }
