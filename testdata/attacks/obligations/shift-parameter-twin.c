//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved shift
int f(int s) { return s >= 0 && s < 31 ? 1 << s : 0; }
int main(void) { return f(40); }
