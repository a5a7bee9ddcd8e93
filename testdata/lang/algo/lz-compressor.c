// A small LZ77-style compressor and decompressor; checks the round trip on several texts.
#include <stdio.h>
#include <string.h>

static int compress(const unsigned char *in, int n, unsigned char *out) {
    int o = 0;
    for (int i = 0; i < n;) {
        int best = 0, where = 0;
        int from = i > 255 ? i - 255 : 0;
        for (int j = from; j < i; j++) {
            int k = 0;
            while (i + k < n && k < 127 && in[j + k] == in[i + k])
                k++;
            if (k > best) {
                best = k;
                where = i - j;
            }
        }
        if (best > 2) {
            out[o++] = (unsigned char)(0x80 | best);
            out[o++] = (unsigned char)where;
            i += best;
        } else {
            out[o++] = in[i++] & 0x7f;
        }
    }
    return o;
}
static int expand(const unsigned char *in, int n, unsigned char *out) {
    int o = 0;
    for (int i = 0; i < n;) {
        if (in[i] & 0x80) {
            int len = in[i] & 0x7f, back = in[i + 1];
            i += 2;
            while (len--) {
                out[o] = out[o - back];
                o++;
            }
        } else {
            out[o++] = in[i++];
        }
    }
    return o;
}

int main(void) {
    const char *t[] = {"", "abc", "aaaaaaaaaaaaaaaaaaaaaaaa", "to be or not to be, that is to be or not to be",
                       "she sells sea shells by the sea shore; the shells she sells are sea shells"};
    int ok = 0, saved = 0;
    for (int i = 0; i < 5; i++) {
        unsigned char c[256], d[256];
        int n = (int)strlen(t[i]);
        int m = compress((const unsigned char *)t[i], n, c), back = expand(c, m, d);
        printf("%d -> %d -> %d\n", n, m, back);
        ok += back == n && memcmp(d, t[i], (size_t)n) == 0;
        saved += n - m;
    }
    printf("%d %d\n", ok, saved);
    return saved;
}
