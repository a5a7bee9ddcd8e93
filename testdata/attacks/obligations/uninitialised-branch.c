//@ class: obligations
//@ args: prove --overflow
//@ never: proved initialised
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x;
    if (__VERIFIER_nondet_int())
        x = 1;
    return x;
}
