//@ class: obligations
//@ args: prove --overflow
//@ never: proved bounds
static int *g;
static void f(void) {
    int y = 1;
    g = &y;
}
int main(void) {
    f();
    return *g;
}
