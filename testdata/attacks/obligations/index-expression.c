//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0, a[2] = {1, 2};
    return a[1 / x];
}
