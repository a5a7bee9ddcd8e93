//@ class: floats
//@ args: reach --entry f --target L
//@ never: unreachable
int f(double x) {
    if (x == 0 && 1 / x < 0)
        goto L;
    return 0;
L:
    return 1;
}
