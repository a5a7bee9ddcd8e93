// expect: incompatible
// producer
int main(void) {
    FILE*f = fopen("x","wb");
    int a = 1;
    if (!f) return 1;
    fwrite(&a, 4, 1, f);
    fputc(9, f);
    fclose(f);
    return 0;
}
// consumer
int main(void) {
    FILE*f = fopen("x","rb");
    int a;
    if (!f) return 1;
    if (fread(&a, 4, 1, f) != 1) {
        fclose(f);
        return 1;
    }
    fclose(f);
    return 0;
}
