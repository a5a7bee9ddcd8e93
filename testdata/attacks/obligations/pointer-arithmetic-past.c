//@ class: obligations
//@ args: prove --overflow
//@ never: proved pointer
int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a + 5;
    return p != 0;
}
