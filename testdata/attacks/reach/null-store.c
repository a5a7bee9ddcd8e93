//@ class: reach
//@ args: reach --entry f --all-branches
//@ never: exit 0
int f(int x) {
    int *p = 0;
    if (x == 7) *p = 1;
    return x;
}
