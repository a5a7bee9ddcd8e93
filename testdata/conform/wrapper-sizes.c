// expect: compatible
// producer
static void put(const void *p, size_t n) {
    if (fwrite(p, 1, n, stdout) != n) exit(1);
}
int main(void) {
    uint32_t a = 1;
    uint16_t b = 2;
    put(&a, 4);
    put(&b, sizeof b);
    return 0;
}
// consumer
static void get(void *p, size_t n) {
    if (fread(p, 1, n, stdin) != n) exit(1);
}
int main(void) {
    uint32_t a;
    uint16_t b;
    get(&a, 4);
    get(&b, sizeof b);
    return 0;
}
