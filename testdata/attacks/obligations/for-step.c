//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 2, i;
    for (i = 0; i < 4; i++, 1 / x)
        x--;
    return 0;
}
