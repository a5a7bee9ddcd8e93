//@ class: contracts
//@ args: contract
//@ never: proved given
// Near one, a sum of floating numbers is not what it is of real ones.
/*@ ensures \result == 0; */
int lost(double x) { return x > 1e300 && x < 1e301 && x + 1.0 == x; }
