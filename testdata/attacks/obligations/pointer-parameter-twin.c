//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved bounds
static int get(const int *p, int n) { return n >= 0 && n < 2 ? p[n] : 0; }
int f(int n) {
    int a[2] = {1, 2};
    return get(a, n);
}
int main(void) { return f(5); }
