//@ class: obligations
//@ args: prove --overflow
//@ never: proved initialised
static int get(const int *p) { return *p; }
int main(void) {
    int x;
    return get(&x);
}
