//@ class: obligations
//@ args: prove --overflow
//@ twin: proved bounds
int main(void) {
    int a[3] = {1, 2, 0}, i = 2;
    return a[i];
}
