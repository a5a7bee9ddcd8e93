//@ class: entries
//@ args: reach --entry f --target L
//@ never: unreachable
union u { int i; float f; };
int f(union u *v) {
    if (v->f > 1.0f && v->i % 2 != 0)
        goto L;
    return 0;
L:
    return 1;
}
