//@ class: order
//@ args: prove
//@ never: proved
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int g;
static int narrows(void) { __VERIFIER_assume(g == 1); return 0; }
static int checks(void) { __VERIFIER_assert(g == 1); return 0; }
int main(void) {
    return narrows() + checks();
}
