//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0;
    x ? 1 : 1 / x;
    return 0;
}
