// expect: incompatible
// flags: --values
// producer
int main(void) {
    putchar('V');
    putchar(2);
    return 0;
}
// consumer
int main(void) {
    if (getchar()!='V') return 1;
    if (getchar() != 1) {
        fprintf(stderr,"version");
        return 1;
    }
    return 0;
}
