//@ class: contracts
//@ args: contract
//@ never: proved given
/*@ ensures \result == 1; */
int same(double x) { return x == x; }
