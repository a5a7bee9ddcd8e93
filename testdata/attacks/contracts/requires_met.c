//@ class: contracts
//@ args: contract
//@ open: proved given
/*@ requires n >= 0; ensures \result >= 0; */
static int half(int n) { int i = 0; while (n > 1) { n -= 2; i++; } return i; }
/*@ ensures \result >= 0; */
int of_any(int n) { return n < 0 ? 0 : half(n); }
