//@ class: reach
//@ args: reach --target BAD
//@ never: unreachable
int __VERIFIER_nondet_int(void);
struct s { char a; int b; };
int main(void) {
    struct s x;
    x.a = (char)__VERIFIER_nondet_int();
    x.b = 2;
    if (((unsigned char *)&x)[1] == 255) {
    BAD:
        return 1;
    }
    return 0;
}
