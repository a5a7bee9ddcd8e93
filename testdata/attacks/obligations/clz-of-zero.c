//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
int main(void) {
    unsigned x = 0;
    return __builtin_clz(x);
}
