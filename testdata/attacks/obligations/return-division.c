//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0;
    return 10 / x;
}
