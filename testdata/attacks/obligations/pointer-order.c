//@ class: obligations
//@ args: prove --overflow
//@ never: proved pointer
int main(void) {
    int a[2], b[2];
    int *p = a, *q = b;
    return p < q;
}
