//@ class: floats
//@ args: reach --entry f --target L
//@ twin: unreachable
int f(float x) {
    if (x > 1 && x < 0)
        goto L;
    return 0;
L:
    return 1;
}
