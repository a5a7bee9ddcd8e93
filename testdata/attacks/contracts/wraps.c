//@ class: contracts
//@ args: contract
//@ never: proved given
// An unsigned sum wraps.
/*@ ensures \result >= a; */
unsigned sum(unsigned a, unsigned b) { return a + b; }
