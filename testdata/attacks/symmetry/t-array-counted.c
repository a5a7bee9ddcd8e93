//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ twin: holds
int f(int a,int b) {
    int t[6];
    for(int i=0;i<6;i++) t[i]=0;
    t[a]++;
    t[b]++;
    int r=0;
    for(int i=0;i<6;i++) r=r*3+t[i];
    return r;
}
