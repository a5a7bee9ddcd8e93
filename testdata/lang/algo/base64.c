// Base64 encoding and decoding round trip for all remainders.
#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const unsigned char *in, size_t n, char *out) {
    char *o = out;
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)in[i] << 16;
        if (i + 1 < n)
            v |= (unsigned)in[i + 1] << 8;
        if (i + 2 < n)
            v |= in[i + 2];
        *o++ = alphabet[v >> 18];
        *o++ = alphabet[v >> 12 & 63];
        *o++ = i + 1 < n ? alphabet[v >> 6 & 63] : '=';
        *o++ = i + 2 < n ? alphabet[v & 63] : '=';
    }
    *o = '\0';
    return (size_t)(o - out);
}
static size_t decode(const char *in, unsigned char *out) {
    unsigned acc = 0;
    int bits = 0;
    size_t n = 0;
    for (; *in && *in != '='; in++) {
        acc = acc << 6 | (unsigned)(strchr(alphabet, *in) - alphabet);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (unsigned char)(acc >> bits);
        }
    }
    return n;
}

int main(void) {
    const char *t[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "Hello, World!"};
    int ok = 0;
    for (int i = 0; i < 8; i++) {
        char e[64];
        unsigned char d[64];
        size_t n = encode((const unsigned char *)t[i], strlen(t[i]), e);
        size_t m = decode(e, d);
        ok += m == strlen(t[i]) && memcmp(d, t[i], m) == 0;
        printf("%s %zu\n", e, n);
    }
    unsigned char bin[40], back[64];
    char text[64];
    for (int i = 0; i < 40; i++)
        bin[i] = (unsigned char)(i * 67 + 200);
    encode(bin, 40, text);
    ok += decode(text, back) == 40 && !memcmp(bin, back, 40);
    printf("%s %d\n", text, ok);
    return ok;
}
