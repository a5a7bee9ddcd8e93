// expect: compatible
// flags: --values
// producer
int main(int c, char **v) {
    uint32_t a = 1;
    uint64_t b = 3;
    for (int i = 0; i < c; i++) {
        if (i%2) {
            putchar(1);
            fwrite(&a, 4, 1, stdout);
        } else {
            putchar(2);
            fwrite(&b, 8, 1, stdout);
        }
    }
    putchar(0);
    return 0;
}
// consumer
int main(void) {
    uint32_t a;
    uint64_t b;
    int c;
    while ((c = getchar()) != EOF) {
        switch (c) {
            case 1:if (fread(&a, 4, 1, stdin) != 1) return 1;
            break;
            case 2:if (fread(&b, 8, 1, stdin) != 1) return 1;
            break;
            case 0:return 0;
            default:return 1;
        }
    }
    return 1;
}
