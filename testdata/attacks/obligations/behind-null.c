//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int zero;
int main(void) {
    int *p = 0;
    *p = 1;
    return 1 / zero;
}
