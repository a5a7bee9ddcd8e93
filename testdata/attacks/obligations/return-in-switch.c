//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0;
    switch (x) {
    case 0:
        return 8 / x;
    default:
        return 0;
    }
}
