// Kernel: bitwise CRC-32 over a buffer, all shifts and masks.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 2600;
    static uint8_t buffer[4096];
    for (unsigned i = 0; i < sizeof buffer; i++)
        buffer[i] = (uint8_t)(i * 37u + 11u);
    uint32_t crc = 0xFFFFFFFFu;
    for (int r = 0; r < rounds; r++)
        for (unsigned i = 0; i < sizeof buffer; i++) {
            crc ^= buffer[i];
            for (int k = 0; k < 8; k++)
                crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
        }
    printf("%08x\n", ~crc);
    return 0;
}
