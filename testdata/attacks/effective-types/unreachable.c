//@ class: effective-types
//@ args: reach --target L
//@ never: unreachable
long both(long *p, long long *q) {
    *p = 1;
    *q = 2;
    return *p;
}
int main(void) {
    long x = 0;
    if (both(&x, (long long *)&x) == 1) {
    L:
        return 1;
    }
    return 0;
}
