//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
// The store names the object only as the start of what a pointer leads to.
static int g;
int f(int a, int b) {
    int r = a + b + (g == 1000 && a < b);
    *(unsigned *)&g = (unsigned)a;
    return r;
}
