/* CRC-16 (polynomial 0x1021, starting with 0xffff) of three bytes in all their orders: out[0] adds up the checksums of
   the three rotations of (a, b, c), out[1] those of the three rotations of (b, a, c). Rotating the bytes changes nothing,
   exchanging two of them exchanges the sums: τ ↦ (1 2), σ ↦ (), a homomorphism from S3 to S2. */
static unsigned crc_start(void) { return 0xffff; }

static unsigned crc_step(unsigned crc, unsigned char byte) {
    crc ^= (unsigned)byte << 8;
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 0x8000 ? (crc << 1 ^ 0x1021) & 0xffff : crc << 1;
    return crc;
}

static unsigned crc3(unsigned char a, unsigned char b, unsigned char c) {
    return crc_step(crc_step(crc_step(crc_start(), a), b), c);
}

void crc_rotations(unsigned char a, unsigned char b, unsigned char c, unsigned out[2]) {
    out[0] = crc3(a, b, c) + crc3(b, c, a) + crc3(c, a, b);
    out[1] = crc3(b, a, c) + crc3(a, c, b) + crc3(c, b, a);
}

/* A checksum is linear in the bits of the message: the exclusive or over the rotations depends on nothing but the
   exclusive or of the bytes at each place, so even exchanging two bytes changes nothing: Ψ3,1. */
unsigned crc_linear(unsigned char a, unsigned char b, unsigned char c) {
    return crc3(a, b, c) ^ crc3(b, c, a) ^ crc3(c, a, b);
}
