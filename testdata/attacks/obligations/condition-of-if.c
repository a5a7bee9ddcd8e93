//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int x = 0;
    if (1 % x)
        return 1;
    return 0;
}
