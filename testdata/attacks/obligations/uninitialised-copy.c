//@ class: obligations
//@ args: prove --overflow
//@ never: proved initialised
struct s { int a, b; };
int main(void) {
    struct s v, w;
    w = v;
    return w.b;
}
