//@ class: obligations
//@ args: prove --overflow
//@ never: proved division-by-zero
//@ twin: refuted division-by-zero
int main(void) {
    int x = 7, y;
    return x / y;
}
