//@ class: contracts
//@ args: contract
//@ twin: proved given
/*@ ensures \result <= 1; */
unsigned parity(unsigned n) { if (n < 2) return n; return parity(n - 2); }
