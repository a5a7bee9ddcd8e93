//@ class: conventions
//@ args: prove
//@ twin: proved
int nondet_int(void);
int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 3);
    __ESBMC_assume(x < 9);
    __CPROVER_assert(x != 12, "x is small");
    __ESBMC_assert(x >= 4, "x is not so small");
    return 0;
}
