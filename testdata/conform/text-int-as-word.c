// expect: compatible
// producer
int main(void) {
    int x = 1;
    printf("%d\n", x);
    return 0;
}
// consumer
int main(void) {
    char s[20];
    if (scanf("%19s", s) != 1) return 1;
    return 0;
}
