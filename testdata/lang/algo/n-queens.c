// N-queens by backtracking with arrays and with bit masks.
#include <stdio.h>

static int column[16];

static int safe(int row, int c) {
    for (int r = 0; r < row; r++)
        if (column[r] == c || column[r] - c == row - r || c - column[r] == row - r)
            return 0;
    return 1;
}
static int place(int row, int n, int show) {
    if (row == n) {
        if (show)
            for (int r = 0; r < n; r++) {
                for (int c = 0; c < n; c++)
                    putchar(column[r] == c ? 'Q' : '.');
                putchar('\n');
            }
        return 1;
    }
    int found = 0;
    for (int c = 0; c < n; c++)
        if (safe(row, c)) {
            column[row] = c;
            found += place(row + 1, n, show && !found);
        }
    return found;
}
static int bits(unsigned all, unsigned cols, unsigned d1, unsigned d2) {
    if (cols == all)
        return 1;
    int n = 0;
    for (unsigned free = all & ~(cols | d1 | d2); free; free &= free - 1) {
        unsigned b = free & -free;
        n += bits(all, cols | b, (d1 | b) << 1, (d2 | b) >> 1);
    }
    return n;
}

int main(void) {
    for (int n = 1; n <= 7; n++)
        printf("%d: %d %d\n", n, place(0, n, n == 6), bits((1u << n) - 1, 0, 0, 0));
    return bits(255, 0, 0, 0);
}
