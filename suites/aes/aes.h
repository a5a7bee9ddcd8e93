/* AES (FIPS-197) as byte arrays. A word is four bytes; a state is four words, its columns; the words of a key schedule
   are counted from the first round key on. `nk` is the number of words of a key (4, 6 or 8), `nr` of rounds. */
#ifndef AES_H
#define AES_H

typedef unsigned char byte;
typedef unsigned short half;

extern const byte S[256], Si[256], T[255], L[256], Rcon[14];

/* words */
void multWord(const byte a[4], const byte b[4], byte r[4]);
void xor2Word(const byte a[4], const byte b[4], byte r[4]);
void xor3Word(const byte a[4], const byte b[4], const byte c[4], byte r[4]);
void subWord(const byte t[4], byte r[4]);
void rotWord(const byte t[4], byte r[4]);

/* states */
void block2State(const byte b[16], byte s[4][4]);
void state2Block(byte s[4][4], byte b[16]);
void subBytes(byte s[4][4], byte r[4][4]);
void invSubBytes(byte s[4][4], byte r[4][4]);
void shiftRows(byte s[4][4], byte r[4][4]);
void invShiftRows(byte s[4][4], byte r[4][4]);
void addKey(byte s[4][4], byte k[4][4], byte r[4][4]);
void mixCol(byte s[4][4], byte r[4][4]);
void invMixCol(byte s[4][4], byte r[4][4]);

/* keys */
void keySched1(const byte k[16], half r[4]);
void keySched2(const byte k[16], half r[4]);
void keySetupEnc4(const byte k[16], byte r[44][4]);
void keySetupEnc6(const byte k[24], byte r[52][4]);
void keySetupEnc8(const byte k[32], byte r[60][4]);
void keySetupEnc(const byte k[32], int nk, byte r[60][4]);
void keySetupDec(byte e[15][4][4], int nr, byte d[15][4][4]);
int aesKeySetupEnc(const byte k[32], int nk, byte r[60][4]);
int aesKeySetupDec(const byte k[32], int nk, byte r[15][4][4]);

/* blocks */
void aesEncrypt(const byte p[16], byte w[15][4][4], int nr, byte c[16]);
void aesDecrypt(const byte c[16], byte d[15][4][4], int nr, byte p[16]);

/* the same things, as the standard says them (spec.c) */
byte gmul(byte a, byte b);
void mixWord(const byte s[4], byte r[4]);
void invMixWord(const byte s[4], byte r[4]);
void keyExpansion(const byte k[32], int nk, byte w[60][4]);
void cipher(const byte p[16], byte w[15][4][4], int nr, byte c[16]);
void eqInvCipher(const byte c[16], byte d[15][4][4], int nr, byte p[16]);

#endif
