//@ class: symmetry
//@ args: symmetry --entry f --permute a,b --domain a,b=0..5
//@ never: holds
struct S{int u,v;};
int f(int a,int b) {
    struct S s;
    struct S*p=&s;
    p->u=a+b;
    return a==b?p->v:p->u;
}
