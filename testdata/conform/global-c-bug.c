// expect: incompatible
// producer
int main(void) {
    putchar(1);
    return 0;
}
// consumer
static int c;
static void next(void) {
    c = getchar();
}
int main(void) {
    next();
    if (c == EOF) return 1;
    next();
    if (c == EOF) return 1;
    return 0;
}
