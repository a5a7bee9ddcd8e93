//@ class: contracts
//@ args: contract
//@ never: proved given
// A stand-in that writes one byte of the number would leave it small.
struct cell { int number; };
static void low(struct cell *c, char byte) { *(char *)&c->number = byte; }
/*@ ensures \result >= -128 && \result <= 127; */
int lowered(int n, char byte) {
    struct cell c = {0};
    if (n > 1234567) c.number = n;
    low(&c, byte);
    return c.number;
}
