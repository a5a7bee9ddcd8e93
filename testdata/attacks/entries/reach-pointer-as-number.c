//@ class: entries
//@ args: reach --entry f --target BAD
//@ never: unreachable
int f(int*a){
    unsigned long v=(unsigned long)a;
    if(v==0){
        BAD: return 1;
    }
    return 0;
}
