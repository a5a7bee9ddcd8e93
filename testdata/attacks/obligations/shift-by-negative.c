//@ class: obligations
//@ args: prove --overflow
//@ never: proved shift
int main(void) {
    int s = -1;
    return 1 >> s;
}
