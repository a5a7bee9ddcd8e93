//@ class: entries
//@ args: reach --entry f --target 9
//@ never: unreachable
//@ twin: reached
int f(short *a, short *b) {
    a[1] = 1;
    b[0] = 2;
    if (a[1] == 2 && a != b)
        return 7;
    return 0;
}
