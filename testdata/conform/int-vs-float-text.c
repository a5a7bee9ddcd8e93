// expect: incompatible
// flags: --values
// producer
int main(int c, char **v) {
    printf("%f\n", 1.5);
    return 0;
}
// consumer
int main(void) {
    int a;
    if (scanf("%d", &a) != 1) return 1;
    char rest;
    if (scanf("%c", &rest) != 1 || rest != 10) return 1;
    return 0;
}
