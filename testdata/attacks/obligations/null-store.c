//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    int *p = 0;
    *p = 3;
    return 0;
}
