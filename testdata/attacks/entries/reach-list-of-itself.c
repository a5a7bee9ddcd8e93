//@ class: entries
//@ args: reach --entry f --target BAD
//@ never: unreachable
struct L{
    struct L*n;
    int v;
};
int f(struct L*l){
    if(l->n==l){
        BAD: return 1;
    }
    return 0;
}
