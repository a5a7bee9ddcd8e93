//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int g;
int f(int *p) {
    g = 1;
    *p = 2;
    if (g == 2)
        goto L;
    return 0;
L:
    return 1;
}
