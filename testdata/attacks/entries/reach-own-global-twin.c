//@ class: entries
//@ args: reach --entry f --target L
//@ twin: unreachable
static int g;
int f(int *p) {
    g = 1;
    *p = 2;
    if (g == 2)
        goto L;
    return 0;
L:
    return 1;
}
