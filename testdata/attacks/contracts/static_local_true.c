//@ class: contracts
//@ args: contract
//@ twin: proved given
static int next(void) { static int count; return count++ < 1000000 ? 0 : 1; }
/*@ ensures \result == 0 || \result == 1; */
int ask(void) { return next(); }
