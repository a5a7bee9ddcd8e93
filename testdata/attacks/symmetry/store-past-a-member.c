//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
static struct { int a, b; } m;
int f(int a, int b) {
    int r = a + b + (m.b == 1000 && a < b);
    *(&m.a + 1) = a;
    return r;
}
