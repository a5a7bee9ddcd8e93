//@ class: obligations
//@ args: prove --overflow
//@ never: proved shift
int main(void) {
    int v = 3;
    return v << 31;
}
