//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ twin: holds
static void mm(int a,int b,int*lo,int*hi) {
    if(a<b) {
        *lo=a;
        *hi=b;
    } else {
        *lo=b;
        *hi=a;
    }
}
int f(int a,int b) {
    int l,h;
    mm(a,b,&l,&h);
    return l*10+h;
}
