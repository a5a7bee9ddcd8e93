//@ class: reach
//@ args: reach --entry row --target 9
//@ never: unreachable
extern int lines;
extern int *sizes;
extern char *names[];
int row(int n) {
    if (lines == 25 && sizes && sizes[0] == n)
        return 1;
    return 0;
}
