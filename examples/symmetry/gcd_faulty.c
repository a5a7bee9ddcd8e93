/* The greatest common divisor, with a fault: if the first number is smaller, one step too few is done. */
unsigned gcd(unsigned u, unsigned v) {
    unsigned rest;
    if (u < v)
        return v % u == 0 ? u : 1;
    while (v != 0) {
        rest = u % v;
        u = v;
        v = rest;
    }
    return u;
}
