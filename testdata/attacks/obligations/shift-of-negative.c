//@ class: obligations
//@ args: prove --overflow
//@ never: proved shift
int main(void) {
    int v = -1;
    return v << 1;
}
