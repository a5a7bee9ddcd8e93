//@ class: lost-assertions
//@ args: prove
//@ never: exit 0
extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    void (*check)(int) = __VERIFIER_assert;
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x * 2 != 7);
    check(x != 4);
    return 0;
}
