// expect: incompatible
// producer
static void p32(uint32_t v) {
    for (int i = 0; i < 4; i++) putchar(v>>(8*i));
}
int main(void) {
    p32(1);
    p32(2);
    return 0;
}
// consumer
static uint32_t g32(void) {
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        int c = getchar();
        if (c == EOF) exit(1);
        v |= (uint32_t)c<<(8*i);
    }
    return v;
}
int main(void) {
    g32();
    g32();
    g32();
    return 0;
}
