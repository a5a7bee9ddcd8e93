// expect: compatible
// producer
int main(void) {
    putchar(1);
    putchar(2);
    putchar(3);
    return 0;
}
// consumer
enum r {
    OK, SHORT, BAD
};
static enum r one(void) {
    int c = getchar();
    if (c == EOF) return SHORT;
    return OK;
}
static enum r all(void) {
    enum r r;
    if ((r = one()) != OK) return r;
    if ((r = one()) != OK) return r;
    if ((r = one()) != OK) return r;
    return OK;
}
int main(void) {
    return all() == OK?0:1;
}
