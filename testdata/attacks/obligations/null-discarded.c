//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
int main(void) {
    volatile int *p = 0;
    *p;
    return 0;
}
