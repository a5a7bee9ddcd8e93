//@ class: contracts
//@ args: contract
//@ never: proved given
// A callee changes the global behind the caller's back.
static int level;
static void touch(void) { level++; }
/*@ ensures \result == \old(level); */
int read_level(void) { touch(); return level; }
int set_level(int to) { level = to; return level; }
