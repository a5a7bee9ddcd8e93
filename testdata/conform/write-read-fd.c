// expect: compatible
// producer
int main(void) {
    char b[8]="abcdefg";
    if (write(1, b, 8) != 8) return 1;
    return 0;
}
// consumer
int main(void) {
    char b[4];
    if (read(0, b, 4) != 4) return 1;
    if (read(0, b, 4) != 4) return 1;
    return 0;
}
