//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int f(void) {
    volatile int v = 1;
    if (v != 1)
        goto L;
    return 0;
L:
    return 1;
}
