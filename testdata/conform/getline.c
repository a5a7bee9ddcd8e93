// expect: vacuous
// producer
int main(int c, char **v) {
    for (int i = 0; i < c; i++)puts(v[i]);
    return 0;
}
// consumer
int main(void) {
    char*l = 0;
    size_t n = 0;
    while (getline(&l, &n, stdin) != -1);
    free(l);
    return 0;
}
