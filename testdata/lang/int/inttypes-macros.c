// PRI macros of inttypes.h with fixed, least, fast and pointer-sized integers.
#include <inttypes.h>
#include <stdio.h>

int main(void) {
    int8_t a = -12;
    uint8_t b = 240;
    int16_t c = -1234;
    uint16_t d = 54321;
    int32_t e = -123456789;
    uint32_t f = 3123456789u;
    int64_t g = INT64_C(-1234567890123);
    uint64_t h = UINT64_C(12345678901234567890);
    printf("%" PRId8 " %" PRIu8 " %" PRIx8 "\n", a, b, b);
    printf("%" PRIi16 " %" PRIu16 " %" PRIo16 "\n", c, d, d);
    printf("%" PRId32 " %" PRIu32 " %" PRIX32 "\n", e, f, f);
    printf("%" PRId64 " %" PRIu64 " %#" PRIx64 "\n", g, h, h);
    printf("%08" PRIx32 "|%-12" PRId32 "|%+" PRId64 "\n", f, e, g);
    int_least16_t l = 77;
    uint_fast8_t fast = 9;
    intmax_t m = -9;
    uintptr_t up = 4096;
    printf("%" PRIdLEAST16 " %" PRIuFAST8 " %" PRIdMAX " %" PRIuPTR "\n", l, fast, m, up);
    int64_t parsed = 0;
    int n = sscanf("-777 rest", "%" SCNd64, &parsed);
    printf("%d %" PRId64 "\n", n, parsed);
    return (int)(imaxabs(m) + INT16_C(3));
}
