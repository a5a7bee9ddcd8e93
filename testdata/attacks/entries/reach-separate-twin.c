//@ class: entries
//@ args: reach --entry f --target L --assume-separate
//@ twin: unreachable
int f(int *p, int *q) {
    *p = 1;
    *q = 2;
    if (*p == 2)
        goto L;
    return 0;
L:
    return 1;
}
