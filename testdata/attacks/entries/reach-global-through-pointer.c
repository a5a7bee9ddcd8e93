//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
int g;
int f(const int *p) {
    int before = *p;
    g = before + 1;
    if (*p != before)
        goto L;
    return 0;
L:
    return 1;
}
