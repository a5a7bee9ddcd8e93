// expect: incompatible
// producer
int main(void) {
    putchar(1);
    putchar(2);
    return 0;
}
// consumer
int main(void) {
    return !(getchar() != EOF && getchar() != EOF && getchar() != EOF);
}
