//@ class: floats
//@ args: reach --entry f --target L
//@ twin: reached
int f(float x) {
    if (x > 0 && x + 1 == x && x < 1e9f)
        goto L;
    return 0;
L:
    return 1;
}
