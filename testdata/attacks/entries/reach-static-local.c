//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int f(void) {
    static int n;
    n++;
    if (n == 5)
        goto L;
    return 0;
L:
    return 1;
}
