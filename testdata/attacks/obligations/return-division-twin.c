//@ class: obligations
//@ args: prove --overflow
//@ twin: proved division-by-zero
int main(void) {
    int x = 2;
    return 10 / x - 5;
}
