// Unsigned arithmetic wraps modulo the width for every unsigned type.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint8_t u8 = 250;
    uint16_t u16 = 65530;
    uint32_t u32 = 4294967290u;
    uint64_t u64 = 18446744073709551610ull;
    for (int i = 0; i < 12; i++) {
        printf("%u %u %u %llu\n", (unsigned)u8, (unsigned)u16, (unsigned)u32, (unsigned long long)u64);
        u8++;
        u16++;
        u32++;
        u64++;
    }
    printf("%u\n", 0u - 1u);
    printf("%lu\n", 0ul - 1ul);
    printf("%u\n", UINT_MAX * UINT_MAX);
    printf("%u\n", UINT_MAX + 2u);
    printf("%lu\n", ULONG_MAX * 3ul);
    printf("%u\n", -5u);
    printf("%u\n", 3u - 10u);
    printf("%u\n", 2000000000u * 3u);
    printf("%u\n", (3u - 10u) / 2u);
    printf("%u\n", (3u - 10u) % 7u);
    return (int)((u8 + u16 + u32 + u64) & 0x7f) % 126;
}
