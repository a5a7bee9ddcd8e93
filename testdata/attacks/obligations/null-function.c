//@ class: obligations
//@ args: prove --overflow
//@ never: proved call
int main(void) {
    int (*f)(void) = 0;
    return f();
}
