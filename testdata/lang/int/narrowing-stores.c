// Values are truncated when stored in narrower integers, and sign- or zero-extended when read back.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int64_t values[] = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647LL,
                        2147483648LL, 4294967295LL, 4294967296LL, -129, -32769, -2147483649LL,
                        INT64_MAX, INT64_MIN};
    unsigned check = 0;
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
        int8_t a = (int8_t)values[i];
        uint8_t b = (uint8_t)values[i];
        int16_t c = (int16_t)values[i];
        uint16_t d = (uint16_t)values[i];
        int32_t e = (int32_t)values[i];
        uint32_t f = (uint32_t)values[i];
        uint64_t g = (uint64_t)values[i];
        printf("%lld: %d %d %d %d %d %u %llu\n", (long long)values[i], a, b, c, d, e, f, (unsigned long long)g);
        check = check * 31 + (unsigned)(a + b + c + d) + f;
    }
    printf("%u\n", check);
    return (int)(check % 126);
}
