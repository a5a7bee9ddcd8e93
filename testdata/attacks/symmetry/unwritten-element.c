//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ never: holds
// The second element is never written.
int f(int a, int b) {
    int t[2];
    t[0] = a;
    return t[0] + b + (t[1] == 77);
}
