/* AES as FIPS-197 states it, without tables of products: what the documented relations compare the functions with. */
#include "aes.h"

/* 4.2: multiplication in the field, by repeated doubling. */
byte gmul(byte a, byte b)
{
    int sum = 0, power = a;
    for (int bit = 0; bit < 8; bit++) {
        if (b >> bit & 1)
            sum ^= power;
        power <<= 1;
        if (power & 0x100)
            power ^= 0x11b;
    }
    return sum;
}

/* 5.1.3 and 5.3.3: a column times a matrix whose rows are shifts of its first. */
static void timesMatrix(const byte first[4], const byte s[4], byte r[4])
{
    for (int i = 0; i < 4; i++) {
        r[i] = 0;
        for (int j = 0; j < 4; j++)
            r[i] ^= gmul(first[(4 + j - i) % 4], s[j]);
    }
}

void mixWord(const byte s[4], byte r[4])
{
    const byte first[4] = { 2, 3, 1, 1 };
    timesMatrix(first, s, r);
}

void invMixWord(const byte s[4], byte r[4])
{
    const byte first[4] = { 14, 11, 13, 9 };
    timesMatrix(first, s, r);
}

/* 5.2: the schedule of a key of nk words. */
void keyExpansion(const byte k[32], int nk, byte w[60][4])
{
    for (int i = 0; i < 4 * (nk + 7); i++) {
        for (int j = 0; j < 4; j++) {
            if (i < nk) {
                w[i][j] = k[4 * i + j];
                continue;
            }
            byte t = w[i - 1][j];
            if (i % nk == 0)
                t = S[w[i - 1][(j + 1) % 4]] ^ (j == 0 ? Rcon[i / nk - 1] : 0);
            else if (nk == 8 && i % 8 == 4)
                t = S[t];
            w[i][j] = w[i - nk][j] ^ t;
        }
    }
}

/* 5.1: s[n] is the byte of row n % 4 and column n / 4. */
void cipher(const byte p[16], byte w[15][4][4], int nr, byte c[16])
{
    byte s[16];
    for (int n = 0; n < 16; n++)
        s[n] = p[n] ^ w[0][n / 4][n % 4];
    for (int round = 1; round <= nr; round++) {
        byte t[16];
        for (int n = 0; n < 16; n++)
            t[n] = S[s[(n + 4 * (n % 4)) % 16]];
        for (int column = 0; column < 4 && round < nr; column++) {
            byte mixed[4];
            mixWord(&t[4 * column], mixed);
            for (int row = 0; row < 4; row++)
                t[4 * column + row] = mixed[row];
        }
        for (int n = 0; n < 16; n++)
            s[n] = t[n] ^ w[round][n / 4][n % 4];
    }
    for (int n = 0; n < 16; n++)
        c[n] = s[n];
}

/* 5.3.5, for a schedule whose inner round keys have been mixed. */
void eqInvCipher(const byte c[16], byte d[15][4][4], int nr, byte p[16])
{
    byte s[16];
    for (int n = 0; n < 16; n++)
        s[n] = c[n] ^ d[0][n / 4][n % 4];
    for (int round = 1; round <= nr; round++) {
        byte t[16];
        for (int n = 0; n < 16; n++)
            t[n] = Si[s[(n + 12 * (n % 4)) % 16]];
        for (int column = 0; column < 4 && round < nr; column++) {
            byte mixed[4];
            invMixWord(&t[4 * column], mixed);
            for (int row = 0; row < 4; row++)
                t[4 * column + row] = mixed[row];
        }
        for (int n = 0; n < 16; n++)
            s[n] = t[n] ^ d[round][n / 4][n % 4];
    }
    for (int n = 0; n < 16; n++)
        p[n] = s[n];
}
