// expect: incompatible
// producer
int main(void) {
    float f = 1;
    fwrite(&f, 4, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    int f;
    if (fread(&f, 4, 1, stdin) != 1) return 1;
    return 0;
}
