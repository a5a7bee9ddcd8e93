//@ class: obligations
//@ args: prove --overflow
//@ twin: proved call
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 5 || n < 1)
        return 0;
    return (int)sizeof(int[n]);
}
