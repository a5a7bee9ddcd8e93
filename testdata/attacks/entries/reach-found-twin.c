//@ class: entries
//@ args: reach --entry f --target L
//@ twin: reached
int g;
int f(int x) {
    if (g == 7 && x == 3)
        goto L;
    return x;
L:
    return 1;
}
