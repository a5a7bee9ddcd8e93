//@ class: contracts
//@ args: contract
//@ twin: proved given
/*@ ensures \result == (long)a + b; */
long sum(int a, int b) { return (long)a + b; }
