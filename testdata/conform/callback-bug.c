// expect: incompatible
// producer
static void each(int n, void(*f)(int)) {
    for (int i = 0; i < n; i++)f(i);
}
static void w(int i) {
    uint16_t x = i;
    fwrite(&x, 2, 1, stdout);
}
int main(void) {
    each(2, w);
    return 0;
}
// consumer
int main(void) {
    uint16_t x[3];
    if (fread(x, 2, 3, stdin) != 3) return 1;
    return 0;
}
