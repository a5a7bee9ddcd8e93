//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
static int down(int v) { return v == 0 ? 5 / v : down(v - 1); }
int main(void) { return down(3); }
