//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved division-by-zero
int f(int x) {
    switch (x) {
    case 0:
        return 0;
    default:
        return 8 / x;
    }
}
int main(void) { return f(9); }
