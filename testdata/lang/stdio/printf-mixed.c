// Mixed conversions in one call with more arguments than registers, and positional nesting of calls.
#include <stdio.h>

static const char *yes(int b) { return b ? "yes" : "no"; }

int main(void) {
    printf("%d %s %c %g %u %ld %x %.1f %5s|%-5d|%05d %lld %hhd %e %o %%\n", 1, "two", '3', 4.5, 6u, 7L, 0x8u, 9.25, "ten",
           11, 12, 13LL, (signed char)14, 15.0, 16u);
    printf("%s %s %s\n", yes(1), yes(0), yes(printf("") == 0));
    for (int w = 0; w < 6; w++)
        printf("[%*s|%-*s|%0*d]", w, "ab", w, "cd", w, w);
    printf("\n");
    double table[2][3] = {{1, 22.5, -3}, {0.125, 1e6, 99999.999}};
    for (int i = 0; i < 2; i++)
        printf("%8.2f %8.2f %8.2f\n", table[i][0], table[i][1], table[i][2]);
    int n = printf("%s", "counted\n");
    char line[40];
    int m = sprintf(line, "%3d|%-3d|%03d", 5, 5, 5);
    puts(line);
    return n + m;
}
