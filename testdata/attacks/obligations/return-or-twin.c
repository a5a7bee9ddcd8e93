//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved division-by-zero
int f(int y) { return y == 0 || 5 % y; }
int main(void) { return !f(0); }
