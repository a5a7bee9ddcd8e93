//@ class: contracts
//@ args: contract
//@ never: proved given
static int odd(unsigned n);
/*@ ensures \result == 1; */
int even(unsigned n) { if (n == 0) return 1; return odd(n - 1); }
/*@ ensures \result == 1; */
static int odd(unsigned n) { if (n == 0) return 0; return even(n - 1); }
