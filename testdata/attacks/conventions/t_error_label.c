//@ class: conventions
//@ args: prove
//@ twin: proved unreachable
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x % 2 == 5) goto ERROR;
    return 0;
ERROR:
    return 1;
}
