// expect: incompatible
// producer
static int put(const void *p, size_t n) {
    return fwrite(p, n, 1, stdout) == 1?0:-1;
}
int main(void) {
    uint32_t a = 1;
    if (put(&a, 4)) return 1;
    return 0;
}
// consumer
static int get(void *p, size_t n) {
    return fread(p, n, 1, stdin) == 1?0:-1;
}
int main(void) {
    uint32_t a;
    uint16_t b;
    if (get(&a, 4) < 0) return 1;
    if (get(&b, 2) < 0) return 1;
    return 0;
}
