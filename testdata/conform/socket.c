// expect: compatible
// producer
struct m {
    uint8_t t;
    uint8_t l;
    uint16_t v;
};
int main(void) {
    int s = socket(1, 1, 0);
    struct m x = {1, 2, 3};
    if (send(s, &x, sizeof x, 0) != sizeof x) return 1;
    return 0;
}
// consumer
struct m {
    uint8_t t;
    uint8_t l;
    uint16_t v;
};
int main(void) {
    int s = socket(1, 1, 0);
    struct m x;
    if (recv(s, &x, sizeof x, MSG_WAITALL) != sizeof x) return 1;
    return 0;
}
