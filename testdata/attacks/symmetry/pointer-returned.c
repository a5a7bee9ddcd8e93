//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
static int calls, *at = &calls;
static int *where(void) {
    return at;
}
int f(int a, int b) {
    return a + b + (++*where() == 2000000);
}
