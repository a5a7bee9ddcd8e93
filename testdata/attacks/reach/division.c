//@ class: reach
//@ args: reach --entry f --all-branches
//@ never: exit 0
int f(int a) {
    if (a > 10) {
        int d = a - 11;
        if (d == 0) return 100 / d;
    }
    return a;
}
