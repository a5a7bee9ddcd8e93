//@ class: obligations
//@ args: prove --overflow --ints machine
//@ never: proved shift
int main(void) {
    int s = 33;
    return 1 << s;
}
