//@ class: obligations
//@ args: prove --overflow --ints machine --entry f
//@ twin: proved shift
int f(unsigned s) { return s < 31 ? 1 << s : 0; }
int main(void) { return f(5) != 32; }
