//@ class: contracts
//@ args: contract
//@ never: proved given
// Not null is not valid.
/*@ ensures \valid(\result); */
int *at(int n) { return n == 1234567 ? (int *)16 : (int *)32; }
