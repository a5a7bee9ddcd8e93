//@ class: conventions
//@ args: prove
//@ never: proved
//@ never: exit 0
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x * 3 == 21) goto ERROR;
    return 0;
ERROR:
    return 1;
}
