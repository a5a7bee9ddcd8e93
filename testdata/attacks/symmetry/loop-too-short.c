//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
int f(int a,int b) {
    int t[6];
    for(int i=0;i<a;i++) t[i]=i;
    return t[5];
}
