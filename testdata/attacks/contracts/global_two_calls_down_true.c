//@ class: contracts
//@ args: contract
//@ twin: proved given
static int level;
static int other;
static void deep(int key) { if (key == 1234567) other = -1; }
static void middle(int key) { deep(key); }
/*@ ensures level == \old(level); */
void top(int key) { middle(key); }
int set(int to) { level = to; return other; }
