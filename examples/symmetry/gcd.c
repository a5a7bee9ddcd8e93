/* The greatest common divisor. gcd(u, v) = gcd(v, u): Ψ2,1. */
unsigned gcd(unsigned u, unsigned v) {
    while (v != 0) {
        unsigned rest = u % v;
        u = v;
        v = rest;
    }
    return u;
}
