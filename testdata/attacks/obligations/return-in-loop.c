//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 3;
    while (1) {
        x--;
        if (x == 0)
            return 6 / x;
    }
}
