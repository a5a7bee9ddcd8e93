//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
static int f(int x) {
    if (x > 0)
        return f(x - 1);
}
int main(void) { return f(2); }
