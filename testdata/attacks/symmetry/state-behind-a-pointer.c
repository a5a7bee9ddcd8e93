//@ class: symmetry
//@ args: symmetry --entry next --permute a,b --domain a,b=0..9
//@ never: violated
//@ never: holds
static int cell;
static int *const p = &cell;
int next(int a, int b) {
    *p += 1;
    return *p % 5 ? a + b : b;
}
