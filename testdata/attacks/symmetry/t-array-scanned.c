//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ twin: holds
int f(int a,int b) {
    int t[2]={a,b};
    int m=t[0];
    for(int i=0;i<2;i++) if(t[i]>m) m=t[i];
    return m;
}
