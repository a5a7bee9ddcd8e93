// expect: incompatible
// producer
int main(void) {
    uint32_t a = 1;
    uint16_t b = 3;
    fwrite(&a, 4, 1, stdout);
    putchar(2);
    fwrite(&b, 2, 1, stdout);
    return 0;
}
// consumer
enum st {
    LEN, TYPE, BODY, DONE
};
int main(void) {
    enum st s = LEN;
    int c;
    uint32_t v;
    while (s != DONE) {
        switch (s) {
            case LEN: if (fread(&v, 4, 1, stdin) != 1) return 1;
            s = TYPE;
            break;
            case TYPE: if ((c = getchar()) == EOF) return 1;
            s = BODY;
            break;
            case BODY: if (fread(&v, 4, 1, stdin) != 1) return 1;
            s = DONE;
            break;
            default:return 2;
        }
    }
    return 0;
}
