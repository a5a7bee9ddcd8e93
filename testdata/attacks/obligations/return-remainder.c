//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    int a = 7, x = 0;
    return a % x;
}
