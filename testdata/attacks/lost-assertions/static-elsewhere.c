//@ class: lost-assertions
//@ args: prove
//@ with: static-elsewhere-unit.c
//@ never: proved
//@ never: exit 0
//@ twin: refuted assert
/* Another unit has static functions of these names, which are not the ones that are called here. */
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int other(int x);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 77) __assert_fail("x", "a.c", 1, "main");
    return other(x);
}
