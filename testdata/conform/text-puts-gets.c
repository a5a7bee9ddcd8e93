// expect: vacuous
// producer
int main(void) {
    puts("hello");
    return 0;
}
// consumer
int main(void) {
    char b[100];
    while (fgets(b, 100, stdin))fputs(b, stderr);
    return 0;
}
