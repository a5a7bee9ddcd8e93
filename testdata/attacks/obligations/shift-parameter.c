//@ class: obligations
//@ args: prove --overflow --entry f
//@ never: proved shift
int f(int s) { return 1 << s; }
int main(void) { return f(40); }
