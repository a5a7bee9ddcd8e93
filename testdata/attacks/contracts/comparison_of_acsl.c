//@ class: contracts
//@ args: contract
//@ never: proved given
// In C -1 is greater than 1U; in ACSL it is not.
/*@ ensures \result == 1 ==> a > b; */
int greater(int a, unsigned b) { return (unsigned)a > b; }
