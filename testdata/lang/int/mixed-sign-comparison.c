// Comparisons between signed and unsigned operands of equal and different width.
#include <stdio.h>

static int less_iu(int a, unsigned b) { return a < b; }
static int less_lu(long a, unsigned b) { return a < b; }
static int less_lul(long a, unsigned long b) { return a < b; }
static int less_su(short a, unsigned char b) { return a < b; }

int main(void) {
    int score = 0;
    printf("%d\n", less_iu(-1, 1u));
    printf("%d\n", less_lu(-1, 1u));
    printf("%d\n", less_lul(-1, 1ul));
    printf("%d\n", less_su(-1, 1));
    printf("%d\n", -1 == 4294967295u);
    printf("%d\n", -1L == 4294967295u);
    printf("%d\n", -1L == 18446744073709551615ul);
    printf("%d\n", (short)-1 == (unsigned short)65535);
    printf("%d\n", sizeof(int) > -1);
    printf("%d\n", (int)sizeof(int) > -1);
    for (int i = -3; i <= 3; i++) {
        if (i < 1u)
            score += 1;
        if (i < 1)
            score += 10;
    }
    printf("%d\n", score);
    return score;
}
