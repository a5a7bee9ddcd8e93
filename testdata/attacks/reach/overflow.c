//@ class: reach
//@ args: reach --entry f --all-branches
//@ never: exit 0
int f(int x) {
    if (x > 2147483600) return x + 1000;
    return x;
}
