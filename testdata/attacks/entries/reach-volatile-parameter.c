//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int f(volatile int *p) {
    int a = *p, b = *p;
    if (a != b)
        goto L;
    return 0;
L:
    return 1;
}
