//@ class: contracts
//@ args: contract
//@ twin: proved given
/*@ ensures \result == 1 ==> b > 0; */
int carries(unsigned a, unsigned b) { return a + b < a; }
