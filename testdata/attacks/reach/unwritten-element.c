//@ class: reach
//@ args: reach --target BAD
//@ never: unreachable
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned char a[4];
    a[0] = (unsigned char)__VERIFIER_nondet_int();
    if (a[1] == 7) {
    BAD:
        return 1;
    }
    return 0;
}
