//@ class: contracts
//@ args: contract
//@ never: proved given
// The bytes of a number are written through a pointer to characters.
union word { unsigned number; unsigned char bytes[4]; };
/*@ ensures \result == 7; */
unsigned punned(unsigned char c) {
    union word w;
    unsigned char *p = w.bytes;
    w.number = 7;
    p[0] = c;
    return w.number;
}
