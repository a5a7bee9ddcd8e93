//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
static const int k = 3;
int main(void) {
    int *p = (int *)&k;
    *p = 4;
    return 0;
}
