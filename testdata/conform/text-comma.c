// expect: incompatible
// producer
int main(void) {
    int x = 1, y = 2;
    printf("%d %d\n", x, y);
    return 0;
}
// consumer
int main(void) {
    int x, y;
    if (scanf("%d,%d", &x, &y) != 2) return 1;
    return 0;
}
