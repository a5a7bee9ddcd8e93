//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
union u { int i; unsigned char c[4]; short s; };
int f(union u *v) {
    if (v->c[3] == 200 && v->s == 5)
        goto L;
    return 0;
L:
    return 1;
}
