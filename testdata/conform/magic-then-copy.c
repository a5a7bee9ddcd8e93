// expect: compatible
// producer
int main(int c, char **v) {
    fwrite("RIFF", 1, 4, stdout);
    for (int i = 0; i < c; i++) putchar(i);
    return 0;
}
// consumer
int main(void) {
    char b[512];
    size_t n;
    if (fread(b, 1, 4, stdin) != 4) return 1;
    if (memcmp(b,"RIFF", 4)) return 1;
    while ((n = fread(b, 1, sizeof b, stdin)) > 0);
    return 0;
}
