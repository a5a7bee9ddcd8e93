//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
int main(void) {
    unsigned x = 0;
    return 3u / x;
}
