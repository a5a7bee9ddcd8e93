//@ class: obligations
//@ args: prove --overflow
//@ twin: proved division-by-zero
int main(void) {
    int x = 0;
    return x ? 1 / x : 0;
}
