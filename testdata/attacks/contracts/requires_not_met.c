//@ class: contracts
//@ args: contract
//@ never: proved given
// The callee's promise holds where its requirement does, which this caller does not see to.
/*@ requires n >= 0; */
static int half(int n) { int i = 0; while (n > 1) { n -= 2; i++; } if (n < 0) return -5; return i; }
/*@ ensures \result >= 0; */
int of_any(int n) { return half(n); }
