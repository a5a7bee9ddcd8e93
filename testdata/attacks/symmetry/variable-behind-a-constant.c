//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
struct keeper { int *at; };
static int n;
static const struct keeper k = {&n};
int f(int a, int b) {
    const struct keeper *q = &k;
    int r = a + b + (*q->at == 1000 && a < b);
    *q->at = a;
    return r;
}
