//@ class: floats
//@ args: reach --entry f --target L
//@ never: unreachable
int f(double x) {
    if (x != x)
        goto L;
    return 0;
L:
    return 1;
}
