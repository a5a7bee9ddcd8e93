//@ class: reach
//@ args: reach --target 9
//@ never: unreachable
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), g = 0;
    if (x != x) {
        g = 0;
        g = 1; } else g = 2;
    return g;
}
