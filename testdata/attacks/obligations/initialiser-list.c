//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0;
    int a[2] = {1, 1 / x};
    return a[0];
}
