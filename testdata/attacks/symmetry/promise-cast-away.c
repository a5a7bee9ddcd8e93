//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
// The pointer promises not to write, and the object is no constant.
static int n;
static const int *p = &n;
int f(int a, int b) {
    const int *q = p;
    int r = a + b + (*q == 1000 && a < b);
    *(int *)q = a;
    return r;
}
