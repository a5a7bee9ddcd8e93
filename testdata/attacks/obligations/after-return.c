//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
static int *f(void) {
    int y = 1;
    int *q = &y;
    return q;
}
int main(void) { return *f(); }
