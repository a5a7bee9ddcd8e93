//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
void g(int*p,int c) {
    if(c>3) *p=c;
}
int f(int a,int b) {
    int x;
    g(&x,a+b);
    return x;
}
