// Shifts by every count up to the width minus one.
#include <stdio.h>

int main(void) {
    unsigned u = 1, all = 0;
    for (int i = 0; i < 32; i++)
        all |= u << i;
    printf("%x %u\n", all, all >> 31);
    unsigned long long w = 1ull << 63;
    printf("%llx %d\n", w, (int)(w >> 63));
    int neg = -1;
    printf("%d\n", neg >> 31);
    return 1 << 5;
}
