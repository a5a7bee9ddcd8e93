//@ class: obligations
//@ args: prove --overflow
//@ never: exit 0
//@ never: exit 4
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 5)
        return 0;
    return (int)sizeof(int[n]);
}
