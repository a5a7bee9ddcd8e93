//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0;
    switch (1 / x) {
    default:
        return 0;
    }
}
