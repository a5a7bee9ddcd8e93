//@ class: restricted
//@ args: reach --target L
//@ never: unreachable
static int both(int *restrict p, int *restrict q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    int x;
    if (both(&x, &x) == 1) {
    L:
        return 1;
    }
    return 0;
}
