//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved division-by-zero
int f(int n) {
    int x = 10;
    while (x > 1) {
        if (x == n)
            return 20 / x;
        x--;
    }
    return 0;
}
int main(void) { return f(20); }
