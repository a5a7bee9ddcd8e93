//@ class: contracts
//@ args: contract
//@ never: proved given
// Induction on the contract needs the base case, too.
/*@ ensures \result >= 1; */
unsigned depth(unsigned n) { if (n == 0) return 0; return 1 + depth(n / 2); }
