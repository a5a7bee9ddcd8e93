//@ class: contracts
//@ args: contract
//@ twin: proved given
/*@ ensures \result == 0 || \result == 1; */
int same(double x) { return x == x; }
