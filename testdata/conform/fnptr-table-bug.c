// expect: incompatible
// producer
static void a(void) {
    putchar(1);
}
static void b(void) {
    putchar(2);
    putchar(3);
}
static void(*const t[])(void) = {a, b};
int main(void) {
    for (int i = 0; i < 2; i++)t[i]();
    return 0;
}
// consumer
int main(void) {
    for (int i = 0; i < 4; i++) if (getchar() == EOF) return 1;
    return 0;
}
