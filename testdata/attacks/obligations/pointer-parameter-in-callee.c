//@ class: obligations
//@ args: prove --overflow --entry f
//@ never: proved bounds
static int get(const int *p, int n) { return p[n]; }
int f(int n) {
    int a[2] = {1, 2};
    return get(a, n);
}
int main(void) { return f(5); }
