// expect: vacuous
// producer
int main(int c, char **v) {
    printf("P5\n%d %d\n255\n", c, c);
    return 0;
}
// consumer
static int getuint(void) {
    int c, n = 0;
    do {
        c = getchar();
        if (c == EOF) exit(1);
    } while (c==' '||c == '\n');
    do {
        n=n*10+c-'0';
        c=getchar();
        if (c==EOF)exit(1);
    } while (c>='0'&&c<='9');
    return n;
}
int main(void) {
    if (getchar()!='P')return 1;
    if (getchar()!='5') return 1;
    getuint();
    getuint();
    getuint();
    return 0;
}
