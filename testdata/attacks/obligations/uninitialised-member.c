//@ class: obligations
//@ args: prove --overflow
//@ never: proved initialised
struct s { int a, b; };
int main(void) {
    struct s v;
    v.a = 1;
    return v.b;
}
