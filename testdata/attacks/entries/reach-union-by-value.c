//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
union u { signed char c; long l; };
int f(union u v) {
    if (v.l > 1000000)
        goto L;
    return 0;
L:
    return 1;
}
