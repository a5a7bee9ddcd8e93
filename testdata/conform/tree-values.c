// expect: compatible
// flags: --values
// producer
struct n {
    struct n *l, *r;
    int v;
};
static void w(struct n *t) {
    if (!t) {
        putchar(0);
        return;
    }
    putchar(1);
    fwrite(&t->v, 4, 1, stdout);
    w(t->l);
    w(t->r);
}
struct n *mk(int);
int main(int c, char **v) {
    w(mk(c));
    return 0;
}
// consumer
static int r(void) {
    int c = getchar();
    int v;
    if (c == EOF) return -1;
    if (c == 0) return 0;
    if (fread(&v, 4, 1, stdin) != 1) return -1;
    if (r() < 0) return -1;
    if (r() < 0) return -1;
    return 0;
}
int main(void) {
    return r() < 0;
}
