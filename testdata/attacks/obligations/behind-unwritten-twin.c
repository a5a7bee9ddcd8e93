//@ class: obligations
//@ args: prove --overflow
//@ never: refuted
//@ twin: proved division-by-zero
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int y;
    if (__VERIFIER_nondet_int())
        y = 3;
    else
        y = -3;
    return 7 / y;
}
