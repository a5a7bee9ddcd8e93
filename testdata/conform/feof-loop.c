// expect: vacuous
// producer
int main(int c, char **v) {
    while (c--) putchar(c);
    return 0;
}
// consumer
int main(void) {
    int n = 0;
    while (!feof(stdin)) {
        int c = getchar();
        if (c == EOF) break;
        n += c;
    }
    return 0;
}
