//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0, y = 3;
    y /= x;
    return 0;
}
