//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved division-by-zero
int f(int x) { return x > 0 ? (7 / x, 0) : 0; }
int main(void) { return f(4); }
