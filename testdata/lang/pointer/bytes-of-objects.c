// Looking at objects through unsigned char pointers, and rebuilding them from bytes.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void dump(const void *p, size_t n) {
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x", b[i]);
    printf("\n");
}

int main(void) {
    uint32_t w = 0x11223344;
    int16_t h = -2;
    double d = 1.0;
    float f = -0.5f;
    dump(&w, sizeof w);
    dump(&h, sizeof h);
    dump(&d, sizeof d);
    dump(&f, sizeof f);
    dump("text", 5);
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t q;
    memcpy(&q, bytes, sizeof q);
    printf("%llx\n", (unsigned long long)q);
    unsigned char *raw = (unsigned char *)&w;
    raw[3] = 0xff;
    raw[0] ^= 0x44;
    printf("%x\n", w);
    uint32_t sum = 0;
    for (unsigned i = 0; i < sizeof bytes; i += 2) {
        uint16_t part;
        memcpy(&part, bytes + i, 2);
        sum += part;
    }
    printf("%u\n", sum);
    int *pointers[2] = {(int *)&w, NULL};
    int *copy[2];
    memcpy(copy, pointers, sizeof copy);
    printf("%d %d\n", copy[0] == pointers[0], copy[1] == NULL);
    return raw[3] & 0x3f;
}
