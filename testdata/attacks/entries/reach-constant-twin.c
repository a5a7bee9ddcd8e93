//@ class: entries
//@ args: reach --entry f --target L
//@ twin: unreachable
static int limit = 10;
int f(int x) {
    if (limit != 10)
        goto L;
    return x;
L:
    return 1;
}
