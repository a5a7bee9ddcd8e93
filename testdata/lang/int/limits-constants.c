// limits.h and stdint.h constants printed with the matching conversions.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d\n", CHAR_BIT, CHAR_MIN, CHAR_MAX);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%d %d %d\n", INT8_MIN, INT8_MAX, UINT8_MAX);
    printf("%d %d %d\n", INT16_MIN, INT16_MAX, UINT16_MAX);
    printf("%" PRId32 " %" PRId32 " %" PRIu32 "\n", INT32_MIN, INT32_MAX, UINT32_MAX);
    printf("%" PRId64 " %" PRId64 " %" PRIu64 "\n", INT64_MIN, INT64_MAX, UINT64_MAX);
    printf("%jd %ju\n", INTMAX_MAX, UINTMAX_MAX);
    printf("%zu %td\n", SIZE_MAX, PTRDIFF_MAX);
    printf("%d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int), (int)sizeof(long),
           (int)sizeof(long long));
    printf("%d %d %d\n", (int)sizeof(void *), (int)sizeof(float), (int)sizeof(double));
    printf("%d %d\n", (int)sizeof(size_t), (int)sizeof(ptrdiff_t));
#if INT_MAX == 2147483647 && UINT_MAX == 4294967295U
    return 21;
#else
    return 22;
#endif
}
