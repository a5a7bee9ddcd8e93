//@ class: contracts
//@ args: contract
//@ never: proved given
/*@ requires n > 0 && n < 0; ensures \result == 5; */
int never(int n) { return n; }
