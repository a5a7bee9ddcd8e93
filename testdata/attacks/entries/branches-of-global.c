//@ class: entries
//@ args: reach --entry f --all-branches
//@ never: unreachable
int g;
int f(int x) {
    if (g == 7)
        return 1;
    return x;
}
