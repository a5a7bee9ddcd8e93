//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
static int inv(int v) { return 100 / v; }
int main(void) {
    inv(0);
    return 0;
}
