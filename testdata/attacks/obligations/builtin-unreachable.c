//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
int main(void) {
    int x = 1;
    if (x)
        __builtin_unreachable();
    return 0;
}
