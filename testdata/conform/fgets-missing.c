// expect: incompatible
// producer
int main(int c, char **v) {
    printf("v1\n");
    return 0;
}
// consumer
int main(void) {
    char l[80];
    int n;
    if (!fgets(l, 80, stdin)) return 1;
    if (!fgets(l, 80, stdin)) return 1;
    return 0;
}
