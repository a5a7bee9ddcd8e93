//@ class: conventions
//@ args: prove
//@ never: proved
//@ twin: refuted assert
void __CPROVER_precondition(_Bool, const char *);
extern int __VERIFIER_nondet_int(void);
static int half(int x) {
    __CPROVER_precondition(x >= 0, "not negative");
    return x / 2;
}
int main(void) { return half(__VERIFIER_nondet_int()); }
