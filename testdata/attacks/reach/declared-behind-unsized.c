//@ class: reach
//@ args: reach --target error
//@ never: unreachable
extern int table[];
static int *const p = table;
int main(void) { return 10 / p[2]; }
