//@ class: reach
//@ args: reach --entry f --all-branches
//@ never: exit 0
int f(unsigned s) {
    if (s >= 32) return 1 << s;
    return 0;
}
