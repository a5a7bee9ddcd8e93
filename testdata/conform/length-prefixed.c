// expect: compatible
// producer
static void s(const char *p) {
    uint16_t n = strlen(p);
    fwrite(&n, 2, 1, stdout);
    fwrite(p, 1, n, stdout);
}
int main(int c, char **v) {
    s(v[0]);
    s(v[1]);
    return 0;
}
// consumer
static char *s(void) {
    uint16_t n;
    if (fread(&n, 2, 1, stdin) != 1) exit(1);
    char*p = malloc(n+1);
    if (fread(p, 1, n, stdin) != n) exit(1);
    return p;
}
int main(void) {
    s();
    s();
    return 0;
}
