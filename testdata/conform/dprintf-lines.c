// expect: compatible
// producer
int main(int c, char **v) {
    printf("%d\n", c);
    for (int i = 0; i < c; i++)printf("%d %d\n", i, i);
    return 0;
}
// consumer
int main(void) {
    int n, a, b;
    if (scanf("%d", &n) != 1) return 1;
    while (n-->0) if (scanf("%d %d", &a, &b) != 2) return 1;
    return 0;
}
