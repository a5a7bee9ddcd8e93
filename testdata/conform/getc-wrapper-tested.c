// expect: vacuous
// producer
int main(int c, char **v) {
    while (c--) putchar(c);
    return 0;
}
// consumer
static int get(void) {
    return getchar();
}
int main(void) {
    int c, n = 0;
    while ((c = get()) != EOF)n += c;
    return 0;
}
