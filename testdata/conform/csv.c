// expect: compatible
// producer
int main(int c, char **v) {
    for (int i = 0; i < c; i++)printf("%s,%d,%g\n", v[i], i, 1.5);
    return 0;
}
// consumer
int main(void) {
    char n[9];
    int a;
    double d;
    while (scanf("%8[^,],%d,%lf\n", n, &a, &d) == 3);
    return 0;
}
