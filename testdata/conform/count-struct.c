// expect: compatible
// producer
struct p {
    int x, y;
};
int main(int c, char **v) {
    struct p p = {1, 2};
    putchar(c);
    for (int i = 0; i < c; i++) fwrite(&p, sizeof p, 1, stdout);
    return 0;
}
// consumer
struct p {
    int x, y;
};
int main(void) {
    struct p p;
    int n = getchar();
    if (n == EOF) return 1;
    for (int i = 0; i < n; i++) if (fread(&p, sizeof p, 1, stdin) != 1) return 1;
    return 0;
}
