//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int g;
int f(int x) {
    if (g == 7)
        goto L;
    return x;
L:
    return 1;
}
