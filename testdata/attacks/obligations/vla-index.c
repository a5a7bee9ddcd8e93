//@ class: obligations
//@ args: prove --overflow
//@ never: exit 0
//@ never: exit 3
int main(void) {
    int n = 2;
    int a[n];
    a[0] = a[1] = 0;
    return a[n];
}
