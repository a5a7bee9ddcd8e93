//@ class: entries
//@ args: reach --entry f --target BAD
//@ never: unreachable
struct L{
    int*p;
    int v;
};
int f(struct L*l){
    l->v=1;
    *l->p=2;
    if(l->v==2){
        BAD: return 1;
    }
    return 0;
}
