//@ class: floats
//@ args: reach --entry f --target L
//@ never: unreachable
int f(float x) {
    if (x - x != 0 && x == x)
        goto L;
    return 0;
L:
    return 1;
}
