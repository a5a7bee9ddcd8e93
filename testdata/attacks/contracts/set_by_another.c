//@ class: contracts
//@ args: contract
//@ never: proved given
// No function that is called sets the variable, but one that may have been called before does.
static int mode;
static void put(int to) { mode = to; }
void configure(int to) { if (to > 1000000) put(to); }
/*@ ensures \result == 0; */
int current(void) { return mode; }
