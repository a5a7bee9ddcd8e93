// expect: compatible
// flags: --values
// producer
int crc;
int main(int c, char **v) {
    uint32_t x = 0;
    crc = c > 1;
    putchar(crc);
    fwrite(&x, 4, 1, stdout);
    if (crc) fwrite(&x, 4, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    uint32_t x;
    int f = getchar();
    if (f == EOF) return 1;
    if (fread(&x, 4, 1, stdin) != 1) return 1;
    if (f) if (fread(&x, 4, 1, stdin) != 1) return 1;
    return 0;
}
