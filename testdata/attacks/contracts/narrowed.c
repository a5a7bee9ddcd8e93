//@ class: contracts
//@ args: contract
//@ never: proved given
/*@ ensures \result == n; */
short narrow(int n) { return (short)n; }
