// expect: vacuous
// producer
int main(void) {
    printf("%d", 12);
    putchar('x');
    return 0;
}
// consumer
int main(void) {
    int c;
    do c = getchar();
    while (c>='0'&&c<='9');
    ungetc(c, stdin);
    if (getchar()!='x') return 1;
    return 0;
}
