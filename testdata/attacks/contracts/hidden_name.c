//@ class: contracts
//@ args: contract
//@ never: proved given
// The parameter has the name of the global that changes.
static int level;
static void raise(void) { level = 7; }
/*@ requires level == 1; */
static int shadow(int level) { raise(); return level; }
/*@ ensures \result == 1; */
int seen(int key) { level = 1; if (key == 1234567) shadow(1); return level; }
