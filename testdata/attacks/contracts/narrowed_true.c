//@ class: contracts
//@ args: contract
//@ twin: proved given
/*@ requires n >= -32768 && n <= 32767; ensures \result == n; */
short narrow(int n) { return (short)n; }
