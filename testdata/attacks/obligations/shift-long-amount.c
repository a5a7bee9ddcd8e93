//@ class: obligations
//@ args: prove --overflow
//@ never: proved shift
int main(void) {
    long s = 1L << 32;
    return 1 << s;
}
