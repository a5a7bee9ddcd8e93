//@ class: reach
//@ args: reach --entry row --target 9
//@ never: reached
//@ twin: unreachable
extern int lines;
// A value of its own.
int row(int n) {
    if (n < lines && n > 5 && lines < 5)
        return 1;
    return 0;
}
