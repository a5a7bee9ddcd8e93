//@ class: reach
//@ args: reach --target HERE
//@ never: unreachable
int main(void) {
    const char *p = "abc", *q = "abc";
    if (p == q) {
    HERE:
        return 1;
    }
    return 0;
}
