//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int g;
int f(const int *p) {
    if (p == &g)
        goto L;
    return 0;
L:
    return 1;
}
