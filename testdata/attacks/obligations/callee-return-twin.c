//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved division-by-zero
static int inv(int v) { return 100 / v; }
int f(int v) { return v > 3 ? inv(v) : 0; }
int main(void) { return f(1); }
