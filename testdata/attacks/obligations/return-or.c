//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0, y = 0;
    return x != 0 || 5 / y;
}
