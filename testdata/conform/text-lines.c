// expect: compatible
// producer
int main(int c, char **v) {
    printf("header\n");
    for (int i = 0; i < c; i++)printf("%d\n", i);
    return 0;
}
// consumer
int main(void) {
    char b[100];
    int n = 0;
    if (!fgets(b, 100, stdin)) return 1;
    while (scanf("%d", &n) == 1);
    return 0;
}
