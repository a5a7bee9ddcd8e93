//@ class: contracts
//@ args: contract
//@ never: proved given
// The callee of a callee changes the global.
static int level;
static void deep(int key) { if (key == 1234567) level = -1; }
static void middle(int key) { deep(key); }
/*@ ensures level == \old(level); */
void top(int key) { middle(key); }
