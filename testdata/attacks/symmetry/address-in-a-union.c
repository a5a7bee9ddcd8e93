//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..9
//@ never: holds
//@ never: violated
int f(int a, int b) {
    int x = 0;
    union { int *p; unsigned long u; } v;
    v.p = &x;
    return a + b + ((v.u >> 12) % 100000 == 7 ? a : 0);
}
