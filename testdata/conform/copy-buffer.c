// expect: vacuous
// producer
int main(int c, char **v) {
    char b[100];
    for (int i = 0; i < c; i++)b[i] = i;
    fwrite(b, 1, c, stdout);
    return 0;
}
// consumer
int main(void) {
    char b[512];
    ssize_t n;
    while ((n = read(0, b, sizeof b)) > 0) if (write(2, b, n) != n) return 1;
    return n < 0;
}
