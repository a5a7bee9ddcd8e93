//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
static int f(int x) {
    if (x)
        return 1;
}
int main(void) { return f(0); }
