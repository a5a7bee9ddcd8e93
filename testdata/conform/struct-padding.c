// expect: incompatible
// producer
struct h {
    char t;
    uint32_t v;
};
int main(void) {
    struct h x = {1, 2};
    fwrite(&x, sizeof x, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    char t;
    uint32_t v;
    if (fread(&t, 1, 1, stdin) != 1) return 1;
    if (fread(&v, 4, 1, stdin) != 1) return 1;
    return 0;
}
