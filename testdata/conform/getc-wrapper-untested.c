// expect: incompatible
// producer
int main(void) {
    putchar(1);
    return 0;
}
// consumer
static int get(void) {
    return getchar();
}
int main(void) {
    get();
    get();
    get();
    return 0;
}
