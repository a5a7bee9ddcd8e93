// expect: incompatible
// producer
int main(int c, char **v) {
    for (int i = 0; i < c; i++)printf("%s,%d\n", v[i], i);
    return 0;
}
// consumer
int main(void) {
    char n[9];
    int a;
    double d;
    int r;
    while ((r = scanf("%8[^,],%d,%lf\n", n, &a, &d)) == 3);
    return r != EOF;
}
