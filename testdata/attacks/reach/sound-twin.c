//@ class: reach
//@ args: reach --entry f --all-branches
//@ never: exit 1
//@ twin: reached
int f(int x) {
    if (x > 5) return 1;
    return 0;
}
