//@ class: entries
//@ args: reach --entry f --target L
//@ twin: unreachable
int f(const int *p, const int *q) {
    if (*p < *q && *q < *p)
        goto L;
    return 0;
L:
    return 1;
}
