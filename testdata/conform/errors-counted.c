// expect: incompatible
// producer
int main(void) {
    putchar(1);
    return 0;
}
// consumer
int main(void) {
    int errors = 0;
    if (getchar() == EOF)errors++;
    if (getchar() == EOF)errors++;
    return errors?1:0;
}
