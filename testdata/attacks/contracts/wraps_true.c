//@ class: contracts
//@ args: contract
//@ twin: proved given
/*@ ensures \result == 1 ==> a + b < a; */
int carries(unsigned a, unsigned b) { return a + b < a; }
