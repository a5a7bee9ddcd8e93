//@ class: obligations
//@ args: prove --overflow --entry f
//@ never: proved bounds
int f(int c, int n) {
    int a[2] = {1, 2}, b[3] = {1, 2, 3};
    int *p = c ? a : b;
    return n >= 0 && n < 3 ? p[n] : 0;
}
int main(void) { return f(1, 2); }
