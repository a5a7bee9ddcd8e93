// expect: incompatible
// producer
int main(int c, char **v) {
    printf("%s\n", v[0]);
    return 0;
}
// consumer
int main(void) {
    int x;
    if (scanf("%d", &x) != 1) return 1;
    return 0;
}
