//@ class: contracts
//@ args: contract
//@ never: proved given
// A variable of the function that keeps its value between calls.
static int next(void) { static int count; return count++ < 1000000 ? 0 : 1; }
/*@ ensures \result == 0; */
int ask(void) { return next(); }
