//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int f(const int *p, const int *q) {
    if (p && p == q)
        goto L;
    return 0;
L:
    return 1;
}
