//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    int a[2][3] = {{0}}, i = 4;
    return a[0][i];
}
