//@ class: floats
//@ args: reach --entry f --target L
//@ never: unreachable
int f(int n) {
    float x = n;
    if (x == 33554432.0f && n == 33554433)
        goto L;
    return 0;
L:
    return 1;
}
