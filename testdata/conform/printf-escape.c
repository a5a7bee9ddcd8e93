// expect: compatible
// producer
int main(int c, char **v) {
    printf("<a>%d</a>\n", c);
    return 0;
}
// consumer
int main(void) {
    int x;
    if (scanf("<a>%d</a>", &x) != 1) return 1;
    return 0;
}
