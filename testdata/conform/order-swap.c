// expect: incompatible
// producer
int main(void) {
    int a = 1;
    char c = 2;
    fwrite(&a, 4, 1, stdout);
    fwrite(&c, 1, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    int a;
    char c;
    if (fread(&c, 1, 1, stdin) != 1) return 1;
    if (fread(&a, 4, 1, stdin) != 1) return 1;
    return 0;
}
