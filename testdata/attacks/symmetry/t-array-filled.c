//@ class: symmetry
//@ args: symmetry --entry f --permute a,b
//@ twin: holds
int f(int a, int b) {
    int t[2], given[2] = {a, b};
    for (int i = 0; i < 2; i++)
        t[i] = given[i];
    return t[0] ^ t[1];
}
