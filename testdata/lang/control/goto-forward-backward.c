// goto forward, backward, out of nested loops, and to a shared cleanup label.
#include <stdio.h>

static int search(int grid[3][4], int wanted) {
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            if (grid[i][j] == wanted)
                goto found;
    return -1;
found:
    return i * 10 + j;
}

static int stages(int fail_at) {
    int done = 0;
    if (fail_at == 1)
        goto out;
    done += 1;
    if (fail_at == 2)
        goto undo_one;
    done += 2;
    if (fail_at == 3)
        goto undo_two;
    return done;
undo_two:
    done -= 20;
undo_one:
    done -= 10;
out:
    return done;
}

int main(void) {
    int grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    printf("%d %d %d\n", search(grid, 7), search(grid, 12), search(grid, 99));
    for (int i = 0; i < 5; i++)
        printf("%d ", stages(i));
    printf("\n");
    int n = 27, count = 0;
again:
    if (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
        goto again;
    }
    printf("%d\n", count);
    return count;
}
