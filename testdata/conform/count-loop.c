// expect: vacuous
// producer
int main(int c, char **v) {
    putchar(c);
    for (int i = 0; i < c; i++) putchar(i);
    return 0;
}
// consumer
int main(void) {
    int n = getchar();
    if (n == EOF) return 1;
    for (int i = 0; i < n; i++) if (getchar() == EOF) return 1;
    return 0;
}
