/* AES-128, -192 and -256 in the 25 functions that Table 4.1 of the source names. */
#include "aes.h"

/* The product of bytes in the field, element by element. */
void multWord(const byte a[4], const byte b[4], byte r[4])
{
    for (int i = 0; i < 4; i++)
        r[i] = a[i] == 0 || b[i] == 0 ? 0 : T[(L[a[i]] + L[b[i]]) % 255];
}

void xor2Word(const byte a[4], const byte b[4], byte r[4])
{
    for (int i = 0; i < 4; i++)
        r[i] = a[i] ^ b[i];
}

void xor3Word(const byte a[4], const byte b[4], const byte c[4], byte r[4])
{
    for (int i = 0; i < 4; i++)
        r[i] = a[i] ^ b[i] ^ c[i];
}

void subWord(const byte t[4], byte r[4])
{
    for (int i = 0; i < 4; i++)
        r[i] = S[t[i]];
}

void rotWord(const byte t[4], byte r[4])
{
    for (int i = 0; i < 4; i++)
        r[i] = t[(i + 1) % 4];
}

void block2State(const byte b[16], byte s[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            s[i][j] = b[4 * i + j];
}

void state2Block(byte s[4][4], byte b[16])
{
    for (int i = 0; i < 16; i++)
        b[i] = s[i / 4][i % 4];
}

void subBytes(byte s[4][4], byte r[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = S[s[i][j]];
}

void invSubBytes(byte s[4][4], byte r[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = Si[s[i][j]];
}

/* Row j, which is byte j of every word, moves j places to the left. */
void shiftRows(byte s[4][4], byte r[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = s[(i + j) % 4][j];
}

void invShiftRows(byte s[4][4], byte r[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[(i + j) % 4][j] = s[i][j];
}

void addKey(byte s[4][4], byte k[4][4], byte r[4][4])
{
    for (int i = 0; i < 4; i++)
        xor2Word(s[i], k[i], r[i]);
}

/* Each column times the polynomial that starts with these coefficients. */
static void timesPolynomial(byte s[4][4], const byte c[4], byte r[4][4])
{
    for (int i = 0; i < 4; i++) {
        byte sum[4] = { 0, 0, 0, 0 };
        for (int n = 0; n < 4; n++) {
            byte of[4], product[4], next[4];
            for (int j = 0; j < 4; j++)
                of[j] = c[(4 + j - n) % 4];
            byte same[4] = { s[i][n], s[i][n], s[i][n], s[i][n] };
            multWord(of, same, product);
            xor2Word(sum, product, next);
            for (int j = 0; j < 4; j++)
                sum[j] = next[j];
        }
        for (int j = 0; j < 4; j++)
            r[i][j] = sum[j];
    }
}

void mixCol(byte s[4][4], byte r[4][4])
{
    const byte c[4] = { 2, 1, 1, 3 };
    timesPolynomial(s, c, r);
}

void invMixCol(byte s[4][4], byte r[4][4])
{
    const byte c[4] = { 14, 9, 13, 11 };
    timesPolynomial(s, c, r);
}

/* The first two bytes of every word of a key, rotated and substituted, as one number. */
void keySched1(const byte k[16], half r[4])
{
    for (int i = 0; i < 4; i++)
        r[i] = S[k[4 * i + 1]] * 256 + S[k[4 * i + 2]];
}

/* The last two bytes. */
void keySched2(const byte k[16], half r[4])
{
    for (int i = 0; i < 4; i++)
        r[i] = S[k[4 * i + 3]] * 256 + S[k[4 * i]];
}

/* The last of these four words, rotated and substituted. */
static void rotSubLast(byte w[4][4], byte r[4])
{
    byte k[16];
    half first[4], last[4];
    state2Block(w, k);
    keySched1(k, first);
    keySched2(k, last);
    r[0] = first[3] / 256;
    r[1] = first[3] % 256;
    r[2] = last[3] / 256;
    r[3] = last[3] % 256;
}

void keySetupEnc4(const byte k[16], byte r[44][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = k[4 * i + j];
    for (int i = 4; i < 44; i++) {
        if (i % 4 == 0) {
            byte t[4], c[4] = { Rcon[i / 4 - 1], 0, 0, 0 };
            rotSubLast(&r[i - 4], t);
            xor3Word(r[i - 4], t, c, r[i]);
        } else {
            xor2Word(r[i - 4], r[i - 1], r[i]);
        }
    }
}

void keySetupEnc6(const byte k[24], byte r[52][4])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = k[4 * i + j];
    for (int i = 6; i < 52; i++) {
        if (i % 6 == 0) {
            byte t[4], c[4] = { Rcon[i / 6 - 1], 0, 0, 0 };
            rotSubLast(&r[i - 4], t);
            xor3Word(r[i - 6], t, c, r[i]);
        } else {
            xor2Word(r[i - 6], r[i - 1], r[i]);
        }
    }
}

void keySetupEnc8(const byte k[32], byte r[60][4])
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = k[4 * i + j];
    for (int i = 8; i < 60; i++) {
        byte t[4];
        if (i % 8 == 0) {
            byte c[4] = { Rcon[i / 8 - 1], 0, 0, 0 };
            rotSubLast(&r[i - 4], t);
            xor3Word(r[i - 8], t, c, r[i]);
        } else if (i % 8 == 4) {
            subWord(r[i - 1], t);
            xor2Word(r[i - 8], t, r[i]);
        } else {
            xor2Word(r[i - 8], r[i - 1], r[i]);
        }
    }
}

void keySetupEnc(const byte k[32], int nk, byte r[60][4])
{
    if (nk == 4)
        keySetupEnc4(k, r);
    else if (nk == 6)
        keySetupEnc6(k, r);
    else
        keySetupEnc8(k, r);
}

/* The schedule of the equivalent inverse cipher (FIPS-197, 5.3.5): the round keys backwards, the inner ones mixed. */
void keySetupDec(byte e[15][4][4], int nr, byte d[15][4][4])
{
    for (int i = 0; i <= nr; i++) {
        if (i > 0 && i < nr) {
            invMixCol(e[nr - i], d[i]);
        } else {
            for (int j = 0; j < 4; j++)
                for (int n = 0; n < 4; n++)
                    d[i][j][n] = e[nr - i][j][n];
        }
    }
}

int aesKeySetupEnc(const byte k[32], int nk, byte r[60][4])
{
    int nr = nk + 6;
    keySetupEnc(k, nk, r);
    return nr;
}

int aesKeySetupDec(const byte k[32], int nk, byte r[15][4][4])
{
    byte e[15][4][4];
    int nr = aesKeySetupEnc(k, nk, (byte (*)[4])e);
    keySetupDec(e, nr, r);
    return nr;
}

void aesEncrypt(const byte p[16], byte w[15][4][4], int nr, byte c[16])
{
    byte s[4][4], t[4][4];
    block2State(p, s);
    addKey(s, w[0], t);
    for (int i = 1; i < nr; i++) {
        subBytes(t, s);
        shiftRows(s, t);
        mixCol(t, s);
        addKey(s, w[i], t);
    }
    subBytes(t, s);
    shiftRows(s, t);
    addKey(t, w[nr], s);
    state2Block(s, c);
}

void aesDecrypt(const byte c[16], byte d[15][4][4], int nr, byte p[16])
{
    byte s[4][4], t[4][4];
    block2State(c, s);
    addKey(s, d[0], t);
    for (int i = 1; i < nr; i++) {
        invSubBytes(t, s);
        invShiftRows(s, t);
        invMixCol(t, s);
        addKey(s, d[i], t);
    }
    invSubBytes(t, s);
    invShiftRows(s, t);
    addKey(t, d[nr], s);
    state2Block(s, p);
}
