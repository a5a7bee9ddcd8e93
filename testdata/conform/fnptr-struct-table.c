// expect: compatible
// flags: --values
// producer
struct e {
    int tag;
    void(*f)(void);
};
static void a(void) {
    putchar(7);
}
static void b(void) {
    uint32_t x = 1;
    fwrite(&x, 4, 1, stdout);
}
static struct e t[] = {{1, a}, {2, b}};
int main(void) {
    for (unsigned i = 0; i < 2; i++) {
        putchar(t[i].tag);
        t[i].f();
    }
    return 0;
}
// consumer
int main(void) {
    uint32_t x;
    if (getchar() != 1) return 1;
    if (getchar() == EOF) return 1;
    if (getchar() != 2) return 1;
    if (fread(&x, 4, 1, stdin) != 1) return 1;
    return 0;
}
