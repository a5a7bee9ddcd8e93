// printf integer conversions with all flags, widths, precisions and length modifiers.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int v[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN};
    for (int i = 0; i < 7; i++) {
        unsigned u = (unsigned)v[i];
        printf("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%.3d] [%8.3d] [%-8.3d] [%+.0d] [%08.3d]\n", v[i], v[i], v[i], v[i], v[i]);
        printf("[%u] [%x] [%X] [%o] [%#x] [%#o] [%#10x] [%-#10x] [%#010x]\n", u, u, u, u, u, u, u, u, u);
    }
    printf("[%hhd] [%hhu] [%hd] [%hu]\n", 300, 300, 70000, 70000);
    printf("[%ld] [%lu] [%lx] [%lld] [%llu]\n", LONG_MIN, ULONG_MAX, LONG_MAX, LLONG_MAX, ULLONG_MAX);
    printf("[%zu] [%zd] [%jd] [%td]\n", (size_t)77, 78L, (intmax_t)-79, (ptrdiff_t)-80);
    printf("[%*d] [%-*d] [%.*d] [%*.*d]\n", 6, 42, 6, 42, 4, 42, 8, 5, 42);
    printf("[%*d] [%.*d]\n", -6, 42, -1, 42);
    printf("[%.0d] [%.0u] [%.0x] [%#.0o]\n", 0, 0, 0, 0);
    printf("%c%c%c [%3c] [%-3c]\n", 'a', 66, '\x43', 'd', 'e');
    printf("%%|%%d|\n");
    return printf("%s", "") + printf("%d\n", 123456);
}
