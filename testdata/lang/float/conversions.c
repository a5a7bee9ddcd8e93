// Conversions between integers and floating types, in range, with truncation toward zero.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    double values[] = {0.0, 0.5, 0.999999, 1.5, -0.5, -1.5, 127.9, -128.0, 65535.5, 2147483647.0, -2147483648.0};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        printf("%g -> %d\n", values[i], (int)values[i]);
    printf("%ld\n", (long)1e18);
    printf("%lu\n", (unsigned long)1.8e19);
    printf("%u\n", (unsigned)4294967295.0);
    printf("%d %d\n", (signed char)-100.7, (unsigned char)200.2);
    printf("%d\n", (short)-32768.9);
    int64_t big = 9007199254740993;
    printf("%.1f\n", (double)big);
    printf("%.1f\n", (float)16777217);
    printf("%.1f\n", (double)UINT64_MAX);
    printf("%.1f\n", (float)UINT32_MAX);
    printf("%.1f\n", (double)INT64_MIN);
    float f = 3;
    int i = f / 2;
    printf("%d\n", i);
    i = 2.9 + 2.9;
    printf("%d\n", i);
    i += 0.9;
    i -= -1.5;
    printf("%d\n", i);
    double d = 'A';
    printf("%g %g\n", d, (double)(char)65.7);
    float narrowed = 1.0 / 3;
    printf("%.10f\n", narrowed);
    unsigned char c = 255;
    f = c;
    printf("%g %d\n", f, (_Bool)0.1);
    return i * 10;
}
