// printf string conversions with width and precision, null-free, and unterminated arrays cut by precision.
#include <stdio.h>

int main(void) {
    char raw[4] = {'w', 'x', 'y', 'z'};
    printf("[%s] [%10s] [%-10s] [%.2s] [%8.3s] [%-8.3s]\n", "hello", "hello", "hello", "hello", "hello", "hello");
    printf("[%.4s] [%.2s] [%.1s]\n", raw, raw, raw);
    printf("[%*s] [%-*s] [%*.*s]\n", 7, "ab", 7, "ab", 7, 1, "ab");
    printf("[%s] [%5s] [%.3s]\n", "", "", "");
    const char *names[] = {"id", "name", "score"};
    int widths[] = {4, 12, 7};
    for (int i = 0; i < 3; i++)
        printf("%-*s|", widths[i], names[i]);
    printf("\n");
    for (int r = 1; r <= 3; r++)
        printf("%-4d|%-12.*s|%7.2f|\n", r, r * 3, "abcdefghijkl", r * 1.125);
    int n = printf("%s%c%s\n", "count", ' ', "these");
    return n;
}
