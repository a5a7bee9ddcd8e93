//@ class: obligations
//@ args: prove --overflow --entry f
//@ twin: proved bounds
int f(unsigned i) {
    int a[4] = {1, 2, 3, 4};
    return i < 4 ? a[i] : 0;
}
int main(void) { return f(7); }
