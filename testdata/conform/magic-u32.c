// expect: compatible
// flags: --values
// producer
int main(void) {
    uint32_t m = 0xCAFEBABE;
    fwrite(&m, sizeof m, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    uint32_t m;
    if (fread(&m, sizeof m, 1, stdin) != 1 || m != 0xCAFEBABE) return 1;
    return 0;
}
