//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 1;
    while (4 / x)
        x--;
    return 0;
}
