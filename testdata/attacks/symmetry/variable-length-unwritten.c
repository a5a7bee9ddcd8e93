//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
int f(int a,int b) {
    int n=a+b+1;
    int v[n];
    int s=v[n-1];
    v[n-1]=a;
    return s;
}
