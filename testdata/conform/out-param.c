// expect: vacuous
// producer
int main(int n, char **v) {
    while (n--) fwrite(&n, 4, 1, stdout);
    return 0;
}
// consumer
static int get(int *x) {
    return fread(x, sizeof *x, 1, stdin) == 1;
}
int main(void) {
    int x, s = 0;
    while (get(&x)) s += x;
    return 0;
}
