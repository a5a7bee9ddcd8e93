//@ class: reach
//@ args: reach --target 9
//@ never: unreachable
int __VERIFIER_nondet_int(void);
int main(void) {
    int g = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1: goto out;
    if (g) g = 3; case 2: g = 5;
    }
out:
    return g;
}
