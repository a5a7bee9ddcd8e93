//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
int g(int a,int b) {
    if(a!=b) return a+b;
}
int f(int a,int b) {
    return g(a,b);
}
