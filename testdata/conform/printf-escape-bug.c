// expect: incompatible
// producer
int main(int c, char **v) {
    printf("<a>%d</b>\n", c);
    return 0;
}
// consumer
int main(void) {
    int x;
    char t;
    if (scanf("<a>%d</a%c", &x, &t) != 2) return 1;
    return 0;
}
