// expect: incompatible
// flags: --values
// producer
int main(void) {
    uint32_t m = 0x01020304;
    fwrite(&m, sizeof m, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    if (getchar() != 1 || getchar() != 2 || getchar() != 3 || getchar() != 4) return 1;
    return 0;
}
