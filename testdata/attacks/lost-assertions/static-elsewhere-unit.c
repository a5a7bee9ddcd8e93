//@ unit
static int calls;
static void __assert_fail(int x) { calls += x; }
static int __VERIFIER_nondet_int(void) { return 5; }
int other(int x) {
    __assert_fail(1);
    return calls + x + __VERIFIER_nondet_int();
}
