//@ class: contracts
//@ args: contract
//@ never: proved given
// C wraps, ACSL does not: the sum may be greater than any unsigned number.
/*@ ensures \result == a + b; */
unsigned sum(unsigned a, unsigned b) { return a + b; }
