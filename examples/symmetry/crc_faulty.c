/* CRC-16 as in crc.c, with a fault: a carry gets into the register, because the polynomial is added instead of
   subtracted bit by bit. The checksum is not linear any more. And crc_rotations takes one order twice. */
static unsigned crc_start(void) { return 0xffff; }

static unsigned crc_step(unsigned crc, unsigned char byte) {
    crc ^= (unsigned)byte << 8;
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 0x8000 ? ((crc << 1) + 0x1021) & 0xffff : crc << 1;
    return crc;
}

static unsigned crc3(unsigned char a, unsigned char b, unsigned char c) {
    return crc_step(crc_step(crc_step(crc_start(), a), b), c);
}

void crc_rotations(unsigned char a, unsigned char b, unsigned char c, unsigned out[2]) {
    out[0] = crc3(a, b, c) + crc3(b, c, a) + crc3(c, a, b);
    out[1] = crc3(b, a, c) + crc3(a, c, b) + crc3(c, a, b);
}

unsigned crc_linear(unsigned char a, unsigned char b, unsigned char c) {
    return crc3(a, b, c) ^ crc3(b, c, a) ^ crc3(c, a, b);
}
