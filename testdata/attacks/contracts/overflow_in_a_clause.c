//@ class: contracts
//@ args: contract
//@ never: proved given
// The program is defined everywhere, and the clause false where C could not compute it.
/*@ ensures \result == a + b; */
long capped(int a, int b) { long sum = (long)a + b; return sum > 2147483647L ? 0 : sum; }
