// expect: compatible
// producer
int main(void) {
    putchar(1);
    putchar(2);
    return 0;
}
// consumer
struct s {
    FILE *f;
    int err;
};
static int get(struct s *s) {
    int c = getc(s->f);
    if (c == EOF) {
        s->err = 1;
        return 0;
    }
    return c;
}
int main(void) {
    struct s s = {stdin, 0};
    get(&s);
    get(&s);
    return s.err;
}
