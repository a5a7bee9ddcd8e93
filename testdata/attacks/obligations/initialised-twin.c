//@ class: obligations
//@ args: prove --overflow
//@ twin: proved
struct s { int a, b; };
int main(void) {
    struct s v;
    int a[2];
    v.a = 1;
    v.b = 2;
    a[0] = 3;
    a[1] = 4;
    int i = v.a;
    return a[i] - v.b - 2;
}
