//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
volatile int v;
int f(void) {
    int a = v, b = v;
    if (a != b)
        goto L;
    return 0;
L:
    return 1;
}
