// A sudoku solver with bit masks and backtracking.
#include <stdio.h>

static int grid[9][9];
static unsigned rows[9], cols[9], boxes[9];
static int tries;

static int solve(int cell) {
    while (cell < 81 && grid[cell / 9][cell % 9])
        cell++;
    if (cell == 81)
        return 1;
    int r = cell / 9, c = cell % 9, b = r / 3 * 3 + c / 3;
    for (int d = 1; d <= 9; d++) {
        unsigned bit = 1u << d;
        if ((rows[r] | cols[c] | boxes[b]) & bit)
            continue;
        tries++;
        grid[r][c] = d;
        rows[r] |= bit;
        cols[c] |= bit;
        boxes[b] |= bit;
        if (solve(cell + 1))
            return 1;
        rows[r] ^= bit;
        cols[c] ^= bit;
        boxes[b] ^= bit;
    }
    grid[r][c] = 0;
    return 0;
}

int main(void) {
    const char *puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    for (int i = 0; i < 81; i++)
        if (puzzle[i] != '.') {
            int r = i / 9, c = i % 9, d = puzzle[i] - '0';
            grid[r][c] = d;
            rows[r] |= 1u << d;
            cols[c] |= 1u << d;
            boxes[r / 3 * 3 + c / 3] |= 1u << d;
        }
    int ok = solve(0);
    for (int r = 0; r < 9; r++) {
        for (int c = 0; c < 9; c++)
            printf("%d", grid[r][c]);
        printf("\n");
    }
    printf("%d %d\n", ok, tries);
    return tries % 126;
}
