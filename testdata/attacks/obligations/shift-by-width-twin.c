//@ class: obligations
//@ args: prove --overflow
//@ twin: proved shift
int main(void) {
    int s = 30;
    return (1 << s) == 0;
}
