// expect: compatible
// producer
struct r {
    int a;
    double d;
};
int main(int c, char **v) {
    struct r x = {1, 2};
    for (int i = 0; i < c; i++) fwrite(&x, sizeof x, 1, stdout);
    return 0;
}
// consumer
struct r {
    int a;
    double d;
};
int main(void) {
    struct r x;
    double s = 0;
    while (fread(&x, sizeof x, 1, stdin) == 1) s += x.d;
    return 0;
}
