//@ class: obligations
//@ args: prove --overflow --entry get
//@ never: proved bounds
int get(const int *p, int n) { return p[n]; }
int main(void) {
    int a[2] = {1, 2};
    return get(a, 5);
}
