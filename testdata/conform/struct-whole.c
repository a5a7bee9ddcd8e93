// expect: compatible
// producer
struct h {
    uint32_t magic;
    uint16_t w, h;
};
int main(void) {
    struct h x = {1, 2, 3};
    fwrite(&x, sizeof x, 1, stdout);
    return 0;
}
// consumer
struct h {
    uint32_t magic;
    uint16_t w, h;
};
int main(void) {
    struct h x;
    if (fread(&x, sizeof x, 1, stdin) != 1) return 1;
    return 0;
}
