//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    int a[3] = {1, 2, 3}, i = -1;
    return a[i];
}
