//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a + 3;
    return *p;
}
