//@ class: reach
//@ args: reach --target 10
//@ never: unreachable
extern int lines;
extern char *names[];
static int *const p = &lines;
static char **const q = names;
int main(void) {
    if (*p == 5 || q[1])
        return 3;
    return 0;
}
