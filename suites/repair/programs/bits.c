/* Tricks with bits: 0 counts ones, 1 the highest bit set, 2 reverses 16 bits, 3 rotates left, 4 is it a power of two,
 * 5 parity. */
static unsigned ones(unsigned x)
{
    unsigned n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}

static int highest(unsigned x)
{
    int at = -1;
    while (x) {
        x >>= 1;
        at++;
    }
    return at;
}

static unsigned reverse(unsigned x)
{
    unsigned r = 0;
    int i;
    for (i = 0; i < 16; i++) {
        r = (r << 1) | (x & 1);
        x >>= 1;
    }
    return r;
}

int bits(int what, int x, int by)
{
    unsigned u = (unsigned)x & 0xffff;
    by &= 15;
    switch (what) {
    case 0:
        return (int)ones(u);
    case 1:
        return highest(u);
    case 2:
        return (int)reverse(u);
    case 3:
        return (int)(((u << by) | (u >> (16 - by))) & 0xffff);
    case 4:
        return u != 0 && (u & (u - 1)) == 0;
    case 5:
        return ones(u) % 2;
    default:
        return -1;
    }
}
