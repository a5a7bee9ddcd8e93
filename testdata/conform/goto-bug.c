// expect: incompatible
// producer
int main(void) {
    uint32_t a = 1;
    fwrite(&a, 4, 1, stdout);
    return 0;
}
// consumer
int main(void) {
    int ret = 1;
    uint32_t a;
    char*p = malloc(10);
    if (!p) goto out;
    if (fread(&a, 4, 1, stdin) != 1) goto out;
    if (fread(&a, 2, 1, stdin) != 1) goto out;
    ret = 0;
    out:free(p);
    return ret;
}
