//@ class: floats
//@ args: reach --entry f --target L
//@ twin: unreachable
int f(double x) {
    double y = x >= 0 ? x : 0;
    if (y < 0)
        goto L;
    return 0;
L:
    return 1;
}
