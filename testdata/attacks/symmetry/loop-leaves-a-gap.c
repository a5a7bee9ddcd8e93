//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
int f(int a,int b) {
    int t[3];
    int i;
    for(i=0;i<3;i++) if(i!=1) t[i]=a+b;
    return t[1]+t[0];
}
