//@ class: obligations
//@ args: prove --overflow
//@ never: proved initialised
int main(void) {
    int x;
    return x;
}
