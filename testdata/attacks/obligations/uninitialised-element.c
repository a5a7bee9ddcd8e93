//@ class: obligations
//@ args: prove --overflow
//@ never: proved initialised
int main(void) {
    int a[2];
    a[0] = 1;
    return a[1];
}
