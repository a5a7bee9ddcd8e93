//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
static int id(int v) { return v; }
int main(void) {
    int x = 0;
    return id(3 / x);
}
